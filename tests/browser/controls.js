// Controls that a finger, an eye or a screen reader misses: too small, without an edge, without a name.
() => {
  const parse = text => text.match(/[\d.]+/g).map(Number);
  const part = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const ratio = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const under = one => {
    for (let at = one.parentElement; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if ((colour[3] ?? 1) === 1) return colour;
    }
    return [255, 255, 255];
  };
  const place = document.querySelector("dialog[open]") ?? document;
  const found = [];
  for (const one of place.querySelectorAll("button, a[href], input, select, summary")) {
    if (!one.checkVisibility()) continue;
    const target = (one.matches("[type=checkbox]") && one.closest("label")) || one;
    const {width, height} = target.getBoundingClientRect();
    const name = one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.[0]?.textContent.trim();
    const label = `${name || one.outerHTML.slice(0, 60)}`;
    if (!name) found.push(`${label}: no name`);
    if (width < 44 || height < 44) found.push(`${label}: ${Math.round(width)} × ${Math.round(height)}`);
    const style = getComputedStyle(one);
    if (one.matches(":disabled, [aria-disabled=true], a, [type=checkbox], #strokes button")) continue;
    const edge = ratio(parse(style.borderTopColor), under(one));
    const face = ratio(parse(style.backgroundColor), under(one));
    if (Math.max(parseFloat(style.borderTopWidth) ? edge : 0, face) < 3) found.push(`${label}: edge ${edge.toFixed(2)}`);
  }
  return found;
}
