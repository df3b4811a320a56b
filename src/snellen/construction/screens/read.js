// Run in the page: where every element is. A text is where its letters are; everything else is where its own box is.
// What is covered, leaves its part of the window or has more to say than there is room for is named as a fault.
() => {
  const edges = rect => [rect.left, rect.top, rect.right, rect.bottom];
  const glyphs = node => [...node.querySelectorAll('[data-glyph]')].map(one => one.dataset.glyph);
  const place = node => {
    if (node.dataset.role !== 'text') return node.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const faults = [];
  const leaves = [...document.querySelectorAll('[data-role]')].map((node, index) => {
    node.dataset.index = index;
    const rect = place(node), said = node.dataset.said;
    const top = document.elementFromPoint((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2);
    if (!top || !(node.contains(top) || top.contains(node) && node.dataset.role === 'text'))
      faults.push(`${said} is covered`);
    for (let part = node.parentElement; part !== document.body; part = part.parentElement) {
      const room = part.getBoundingClientRect();
      const beyond = rect.left < room.left - 1 || rect.top < room.top - 1 || rect.right > room.right + 1
        || rect.bottom > room.bottom + 1;
      if (beyond && getComputedStyle(part).overflow !== 'visible') faults.push(`${said} is cut off`);
    }
    const more = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
    if (more && node.dataset.role !== 'image') faults.push(`${said} has no room`);
    const within = node.parentElement.closest('[data-role]');
    return {role: node.dataset.role, key: node.dataset.key, said, edges: edges(rect), glyphs: glyphs(node),
            within: within ? [...document.querySelectorAll('[data-role]')].indexOf(within) : -1};
  });
  const hits = [...document.querySelectorAll('[data-hit]')].map(node => ({
    key: node.dataset.hit, said: node.dataset.said, edges: edges(node.getBoundingClientRect()),
    leaves: [...node.querySelectorAll('[data-role]')].map(leaf => +leaf.dataset.index), glyphs: glyphs(node)}));
  return {leaves, hits, faults};
}
