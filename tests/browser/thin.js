// Texts whose contrast to their ground is too little (WCAG AA), where the ground is one colour.
() => {
  const parse = text => { const parts = text.match(/[\d.]+/g).map(Number); return [...parts.slice(0, 3), parts[3] ?? 1]; };
  const part = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const ground = one => {
    for (let at = one; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return null;
      const colour = parse(style.backgroundColor);
      if (colour[3] === 1) return colour;
      if (colour[3] > 0) return null;
    }
    return [255, 255, 255];
  };
  const thin = [];
  for (const one of document.querySelectorAll("body *")) {
    const text = [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!text || !one.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    if (one.closest("[disabled], [aria-disabled=true], .unseen, script, [aria-hidden=true]")) continue;
    const [style, under] = [getComputedStyle(one), ground(one)];
    if (under === null) continue;
    const [dark, bright] = [light(parse(style.color)), light(under)].sort((a, b) => a - b);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (bright + 0.05) / (dark + 0.05);
    if (ratio < (large ? 3 : 4.5)) thin.push(`${one.tagName}.${one.className} ${ratio.toFixed(2)} ${one.textContent.trim().slice(0, 30)}`);
  }
  return thin;
}
