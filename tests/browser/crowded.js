// Texts that cannot be read because a box cuts them, the screen ends, or another text lies over them.
() => {
  const found = [];
  const shown = [];
  // Letters are lower than the box of their font: capitals and figures leave a sixth free above and below.
  const inked = ({left, right, top, bottom, height}) => ({left, right, top: top + height / 6, bottom: bottom - height / 6});
  const name = ({node}) => node.textContent.trim().slice(0, 40);
  const clips = (box, axis) => ["hidden", "clip"].includes(getComputedStyle(box)[`overflow${axis}`]);
  const scrolls = box => ["auto", "scroll"].includes(getComputedStyle(box).overflowX);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim() || !parent.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    if (parent.closest(".unseen, .skip, script, option, datalist")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({width, height}) => width > 1 && height > 1).map(inked);
    if (rects.length === 0) continue;
    const text = {node, rects, loose: false, scroller: null};
    for (let box = parent; box !== document.body; box = box.parentElement) {
      const {position} = getComputedStyle(box);
      if (["fixed", "sticky"].includes(position)) text.loose = true; // lies over what scrolls under it, as it should
      if (scrolls(box)) { // what lies beside it can be reached
        text.scroller = box;
        break;
      }
      const edge = box.getBoundingClientRect();
      if (clips(box, "X") && rects.some(one => one.left < edge.left - 1 || one.right > edge.right + 1)) found.push(`cut: ${name(text)}`);
      else if (clips(box, "Y") && rects.some(one => one.top < edge.top - 1 || one.bottom > edge.bottom + 1)) found.push(`cut: ${name(text)}`);
    }
    if (text.scroller === null && rects.some(one => one.left < -1 || one.right > innerWidth + 1)) found.push(`beside the screen: ${name(text)}`);
    shown.push(text);
  }
  shown.forEach((one, place) => {
    for (const other of shown.slice(place + 1)) {
      if (one.loose || other.loose || one.scroller !== other.scroller) continue;
      if (one.rects.some(a => other.rects.some(b => {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        return wide > 2 && high > 2;
      }))) found.push(`over each other: ${name(one)} | ${name(other)}`);
    }
  });
  return found;
}
