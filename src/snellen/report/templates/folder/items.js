/* All items of a report: filters, search, a list that draws only what is seen, and one item beside it.

   Whatever a model, a judge or a benchmark said becomes a text node and nothing else. Data come as scripts of this
   folder, each of which calls snellen(name, json); they are loaded when they are needed. */
"use strict";

(() => {
  const ABSENT = 255, NO_ROW = 0xffffffff, FOLD = 600, FOLD_LINES = 14, TALLEST = 8e6, OVERSCAN = 8, TERMS = 8, PIECE = 4000, PIECED = 20000;
  const SORTS = ["by_plan", "by_id", "by_length", "by_wrong", "by_right", "by_draw"];
  const SVG = "http://www.w3.org/2000/svg";

  /* Data files */

  const promised = new Map(), ready = new Map(), arriving = new Map(), prepared = new Map();
  const policy = window.trustedTypes
    ? window.trustedTypes.createPolicy("snellen", { createScriptURL: own })
    : { createScriptURL: own };

  function own(address) {
    if (!/^data\/[a-z0-9-]+\.js$/.test(address)) throw new TypeError(address);
    return address;
  }

  window.snellen = (name, text) => {
    const data = JSON.parse(text);
    if (name === "head") return start(data);
    ready.set(name, data);
    arriving.get(name)?.(data);
    arriving.delete(name);
  };

  function load(name) {
    if (!promised.has(name)) {
      promised.set(name, new Promise((resolve, reject) => {
        arriving.set(name, resolve);
        const script = document.createElement("script");
        script.src = policy.createScriptURL(`data/${name}.js`);
        script.onload = script.onerror = () => {
          script.remove();
          if (!arriving.delete(name)) return;
          promised.delete(name);
          reject(new Error(name));
        };
        document.head.append(script);
      }));
    }
    return promised.get(name);
  }

  function unpacked(text, Kind) {
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return new Kind(bytes.buffer);
  }

  const pause = () => new Promise((resolve) => setTimeout(resolve));

  /* What there is, and what is looked at */

  let head, ids, pair, runs, columns, words, language;
  const state = { query: "", run: 0, outcome: "", flag: "", agreement: "", sort: "by_plan", values: Object.create(null), item: -1 };
  let shown = new Float64Array(0), place_of = new Map(), by_id = null, versions = null;
  let review = null;
  let hits = null, every_term = 0, searching = 0, searched = "";

  function start(data) {
    head = data;
    ids = head.ids;
    pair = unpacked(head.pair, Uint32Array);
    columns = head.columns.map((each) => ({ ...each, codes: unpacked(each.codes, Uint16Array), counts: new Uint32Array(each.values.length + 1) }));
    runs = head.runs.map((run) => {
      const row = unpacked(run.row, Uint32Array), item = new Uint32Array(run.rows);
      row.forEach((number, place) => { if (number !== NO_ROW) item[number] = place; });
      return { ...run, row, item, kind: unpacked(run.kind, Uint8Array), value: unpacked(run.value, Uint8Array), flags: unpacked(run.flags, Uint8Array), length: unpacked(run.length, Uint32Array) };
    });
    review = window.snellenReview({
      head, ids, runs, columns, state, make, say, number, rank_of, open, draw_item,
      words: () => words, shown: () => shown, refresh: () => { if (list) refresh(); },
      rebuild: () => { build(); write_address(false); },
    });
    ids.forEach((id, place) => { if (!place_of.has(id)) place_of.set(id, place); });
    let wanted = navigator.language;
    try { wanted = localStorage.getItem("snellen-language") || wanted; } catch { /* a browser that keeps nothing */ }
    speak(wanted.startsWith("zh") ? "zh" : "en");
    addEventListener("hashchange", follow);
    addEventListener("popstate", follow);
    addEventListener("keydown", pressed);
    addEventListener("resize", () => draw_list());
    follow();
  }

  function speak(name) {
    language = name;
    words = head.words[name];
    document.documentElement.lang = name === "zh" ? "zh-Hans" : "en";
    build();
  }

  const local = (title) => (language === "zh" && head.chinese[title]) || title;
  const number = (value) => value.toLocaleString(language === "zh" ? "zh-CN" : "en-US");
  const say = (name, values) => words[name].replace(/\{(\w+)\}/g, (whole, key) => (values && key in values ? values[key] : whole));

  /* Elements: attributes come from this file, foreign words are children, and children that are strings are text. */

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  function draw(tag, attributes, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  /* The page */

  let list, rows, room, detail, counted, progress, field, sorting, facets;

  function build() {
    const before = list ? list.scrollTop : 0;
    document.title = `${words.items} – ${local(head.title)}`;
    field = make("input", { type: "search", placeholder: words.search, "aria-label": words.search, title: words.search_hint, oninput: typed, value: state.query, spellcheck: "false" });
    field.value = state.query;
    counted = make("span", { class: "count", role: "status" });
    progress = make("span", { class: "searched", role: "status" });
    sorting = choice(SORTS.filter((name) => name !== "by_draw" || review.has_draw()).map((name) => [name, words[name]]), state.sort, (value) => { state.sort = value; changed(); });
    facets = make("div", { class: "facets", id: "facets" });
    room = make("div", { class: "room" });
    rows = make("div", { class: "rows", role: "presentation" });
    list = make("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": words.items, onscroll: () => draw_list() }, room, rows);
    detail = make("main", { class: "item", tabindex: "-1" });
    const top = make("header", { class: "top" }, ...[
      make("div", { class: "bar-of-names" },
        make("h1", {}, local(head.title)),
        make("a", { href: "index.html" }, words.numbers),
        make("button", { type: "button", class: "label-answers", "aria-pressed": String(review.on()), onclick: review.toggle }, review.on() ? words.review_end : words.review),
        make("button", { type: "button", lang: language === "en" ? "zh-Hans" : "en", onclick: other_language }, words.other_language)),
      make("div", { class: "seek" }, field,
        make("button", { type: "button", class: "unfold", "aria-expanded": "false", "aria-controls": "facets", onclick: unfold }, words.filters),
        sorting, counted, progress),
      review.on() ? review.tools() : null,
      facets].filter(Boolean));
    document.body.classList.toggle("reviewing", review.on());
    document.body.replaceChildren(top, make("div", { class: "panes" }, list, detail));
    build_facets();
    update();
    list.scrollTop = before;
    draw_list();
    draw_item();
  }

  function other_language() {
    const name = language === "en" ? "zh" : "en";
    try { localStorage.setItem("snellen-language", name); } catch { /* it is asked for again next time */ }
    speak(name);
  }

  function unfold(event) {
    const open = facets.classList.toggle("unfolded");
    event.currentTarget.setAttribute("aria-expanded", open);
  }

  function choice(options, value, chosen) {
    const element = make("select", { onchange: () => chosen(element.value) });
    for (const [name, title] of options) element.append(make("option", { value: name }, title));
    element.value = value;
    element.setAttribute("aria-label", words.sort);
    return element;
  }

  /* Facets: a select for each, whose options say how many items they would leave */

  const selects = new Map();

  function build_facets() {
    selects.clear();
    facets.replaceChildren();
    if (runs.length > 1) facet("run", words.run, [["", words.any_run], ...runs.map((run, r) => [String(r + 1), run.short])], String(state.run || ""));
    const kinds = head.kinds.map((kind, code) => [`k${code}`, words[`kind_${kind}`] || kind]);
    facet("outcome", words.outcome, [["", words.any], ...[1, 0, 2, 3].map((value) => [`v${value}`, words[`value_${value}`]]), ...kinds], state.outcome);
    facet("flag", words.flag, [["", words.any], ...head.flags.map((flag, bit) => [String(1 << bit), words[`flag_${flag}`] || flag])], state.flag);
    if (runs.length > 1) facet("agreement", words.agreement, [["", words.any], ["alike", words.alike], ["differ", words.differ]], state.agreement);
    for (const column of columns) {
      if (column.values.length < 2 || column.hidden?.()) continue;
      const options = column.values.map((value, code) => [String(code + 1), local(column.titles[code]) || words[`value_${column.name}_${value || "open"}`] || (column.name === "@condition" ? words.clean : words.none)]);
      if (column.name === "@condition") options.unshift(["changed", words.changed]);
      if (column.name === "@label") options.unshift(["changed", words["value_@label_any"]]);
      facet(`label.${column.name}`, title_of(column), [["", words.any], ...options], state.values[column.name] || "");
    }
    facets.append(make("button", { type: "button", onclick: clear }, words.clear));
  }

  const title_of = (column) => words[`column_${column.name}`] || local(column.title);

  function facet(key, title, options, value) {
    const element = make("select", { onchange: () => set(key, element.value) });
    const entries = options.map(([name, text]) => {
      const option = make("option", { value: name }, text);
      element.append(option);
      return { option, name, text };
    });
    element.value = value;
    selects.set(key, { element, entries });
    facets.append(make("label", {}, make("span", {}, title), element));
  }

  function set(key, value) {
    if (key.startsWith("label.")) state.values[key.slice(6)] = value;
    else if (key === "run") {
      state.run = Number(value);
      review.recode();
    }
    else state[key] = value;
    changed(key === "run");
  }

  function clear() {
    Object.assign(state, { query: "", run: 0, outcome: "", flag: "", agreement: "", values: Object.create(null) });
    review.recode();
    field.value = "";
    for (const { element } of selects.values()) element.value = "";
    changed(true);
  }

  function changed(anew = false) {
    if (anew || state.query !== searched) search();
    update();
    list.scrollTop = 0;
    draw_list();
    draw_item();
    write_address(false);
  }

  function tell_counts(counts) {
    for (const [key, { element, entries }] of selects) {
      element.classList.toggle("set", element.value !== "");
      const of = counts[key];
      if (!of) continue;
      for (const { option, name, text } of entries) {
        if (!name) continue;
        const count = of[name] || 0;
        option.textContent = `${text} (${number(count)})`;
        option.hidden = !count && element.value !== name;
      }
    }
  }

  /* One pass over all items: which fit every facet, and how many more each other choice of one facet would leave */

  function update() {
    const wanted = columns.map((column) => {
      const value = state.values[column.name] || "";
      return value === "" ? -1 : value === "changed" ? -2 : Number(value);
    });
    const clean = columns.map((column) => column.values.indexOf("") + 1);
    columns.forEach((column) => column.counts.fill(0));
    const outcome_code = state.outcome ? Number(state.outcome.slice(1)) : -1, by_value = state.outcome.startsWith("v");
    const flag = Number(state.flag), looked_at = state.run ? [runs[state.run - 1]] : runs;
    const kind_counts = new Uint32Array(32), value_counts = new Uint32Array(4), flag_counts = new Uint32Array(8), agreement_counts = [0, 0];
    const found = new Float64Array(ids.length), searching_for = hits !== null, order = order_of(looked_at);
    let count = 0;
    for (let i = 0; i < ids.length; i++) {
      if (searching_for && hits[i] !== every_term) continue;
      let failed = 0, where = -1;
      for (let c = 0; c < columns.length; c++) {
        const want = wanted[c], code = columns[c].codes[i];
        if (want === -1 || (want === -2 ? code !== clean[c] : code === want)) continue;
        where = c;
        if (++failed > 1) break;
      }
      if (failed > 1) continue;
      let there = false, fits = false, kinds = 0, values = 0, flags = 0;
      for (const run of looked_at) {
        const kind = run.kind[i];
        if (kind === ABSENT) continue;
        there = true;
        const value = run.value[i], has = run.flags[i];
        const right = outcome_code < 0 || (by_value ? value : kind) === outcome_code, flagged = !flag || (has & flag) !== 0;
        if (right && flagged) fits = true;
        if (flagged) { kinds |= 1 << kind; values |= 1 << value; }
        if (right) flags |= has;
      }
      if (!there) continue;
      const differs = runs.length > 1 && differ(i), agrees = !state.agreement || (state.agreement === "differ") === differs;
      const misses = failed + !fits + !agrees;
      if (misses > 1) continue;
      if (misses === 0) found[count++] = order ? order(i) : i;
      if (misses === 0 || failed) for (let c = 0; c < columns.length; c++) if (!failed || c === where) columns[c].counts[columns[c].codes[i]]++;
      if (misses === 0 || !fits) {
        for (let k = 0; k < head.kinds.length; k++) if (kinds >> k & 1) kind_counts[k]++;
        for (let v = 0; v < 4; v++) if (values >> v & 1) value_counts[v]++;
        for (let b = 0; b < head.flags.length; b++) if (flags >> b & 1) flag_counts[b]++;
      }
      if (misses === 0 || !agrees) agreement_counts[differs ? 1 : 0]++;
    }
    shown = found.subarray(0, count);
    if (order) {
      shown.sort();
      for (let k = 0; k < count; k++) shown[k] %= 2 ** 21;
    }
    counted.textContent = say("count", { n: number(count), all: number(ids.length) });
    const counts = { outcome: {}, flag: {}, agreement: { alike: agreement_counts[0], differ: agreement_counts[1] } };
    kind_counts.forEach((n, k) => { counts.outcome[`k${k}`] = n; });
    value_counts.forEach((n, v) => { counts.outcome[`v${v}`] = n; });
    flag_counts.forEach((n, b) => { counts.flag[1 << b] = n; });
    columns.forEach((column, c) => {
      const of = counts[`label.${column.name}`] = {};
      let all = 0;
      column.counts.forEach((n, code) => { of[code] = n; all += n; });
      if (["@condition", "@label"].includes(column.name)) of.changed = all - column.counts[clean[c]];
    });
    tell_counts(counts);
  }

  function differ(i) {
    let right = false, wrong = false;
    for (const run of runs) {
      if (run.kind[i] === ABSENT) continue;
      if (run.value[i] === 1) right = true;
      else if (run.value[i] !== 3) wrong = true;
    }
    return right && wrong;
  }

  /* A number by which items are sorted, with the place of the item in its last 21 bits; null leaves the order as it is */
  function order_of(looked_at) {
    if (state.sort === "by_id") {
      if (!by_id) {
        const compare = new Intl.Collator("en", { numeric: true }).compare;
        by_id = new Float64Array(ids.length);
        ids.map((id, i) => i).sort((a, b) => compare(ids[a], ids[b]) || a - b).forEach((i, rank) => { by_id[i] = rank; });
      }
      return (i) => by_id[i] * 2 ** 21 + i;
    }
    if (state.sort === "by_draw") return (i) => review.order(i) * 2 ** 21 + i;
    const most = (measure, top) => (i) => {
      let sum = 0;
      for (const run of looked_at) if (run.kind[i] !== ABSENT) sum = measure(run, i, sum);
      return (top - sum) * 2 ** 21 + i;
    };
    if (state.sort === "by_length") return most((run, i, sum) => Math.max(sum, run.length[i]), NO_ROW);
    if (state.sort === "by_wrong") return most((run, i, sum) => sum + (run.value[i] === 0 || run.value[i] === 2), 4096);
    if (state.sort === "by_right") return most((run, i, sum) => sum + (run.value[i] === 1), 4096);
    return null;
  }

  /* Search: of each file one string in lower case, in which words are looked for with indexOf */

  let typing = 0;

  function typed() {
    state.query = field.value;
    clearTimeout(typing);
    typing = setTimeout(() => changed(), 150);
  }

  function terms_of(query) {
    const found = query.toLowerCase().match(/"[^"]+"|[^\s"]+/g) || [];
    return found.map((term) => term.replace(/^"|"$/g, "")).filter(Boolean).slice(0, TERMS);
  }

  async function search() {
    const token = ++searching, terms = terms_of(state.query);
    searched = state.query;
    progress.textContent = "";
    hits = terms.length ? new Uint8Array(ids.length) : null;
    every_term = 2 ** terms.length - 1;
    if (!terms.length) return;
    const names = Array.from({ length: Math.ceil(ids.length / head.chunk) }, (_, k) => `items-${k + 1}`);
    runs.forEach((run, r) => {
      if (state.run && state.run !== r + 1) return;
      for (let k = 0; k * head.chunk < run.rows; k++) names.push(`run${r + 1}-${k + 1}`);
    });
    let slice = performance.now(), told = slice;
    for (let k = 0; k < names.length; k++) {
      for (const name of names.slice(k, k + 6)) load(name).catch(() => {});
      let text;
      try { text = await text_of(names[k]); } catch { return broken(names[k]); }
      if (token !== searching) return;
      scan(text, terms);
      if (performance.now() - slice > 12) {
        if (performance.now() - told > 250) {
          progress.textContent = say("searched", { n: number(k + 1), all: number(names.length) });
          refresh();
          told = performance.now();
        }
        await pause();
        if (token !== searching) return;
        slice = performance.now();
      }
    }
    progress.textContent = "";
    refresh();
  }

  function refresh() {
    update();
    draw_list();
    draw_walk();
  }

  function broken(name) {
    progress.textContent = say("broken", { name: `data/${name}.js` });
  }

  const begins = (text) => (text === null ? "" : typeof text === "string" ? text : text[0]);

  async function text_of(name) {
    const data = await load(name);
    if (!prepared.has(name)) {
      const [kind, chunk] = name.split("-"), first = (chunk - 1) * head.chunk;
      const places = new Uint32Array(data.length), starts = new Uint32Array(data.length + 1), pieces = [];
      let length = 0;
      data.forEach((row, k) => {
        places[k] = kind === "items" ? first + k : runs[kind.slice(3) - 1].item[first + k];
        const parts = kind === "items"
          ? [ids[first + k], begins(row[0]), begins(row[1]), ...row[2].map((option) => begins(option[1])), ...row[7].map(begins), begins(row[8])]
          : [begins(row[0]), begins(row[4])];
        const piece = `${parts.join("\n")}\n`.toLowerCase();
        pieces.push(piece);
        length += piece.length;
        starts[k + 1] = length;
      });
      prepared.set(name, { text: pieces.join(""), starts, places });
    }
    return prepared.get(name);
  }

  function scan({ text, starts, places }, terms) {
    terms.forEach((term, t) => {
      let row = 0;
      for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, starts[row + 1])) {
        while (starts[row + 1] <= at) row++;
        if (at + term.length <= starts[row + 1]) hits[places[row]] |= 1 << t;
      }
    });
  }

  /* The list: only what is seen stands in the page. Above TALLEST pixels the scroll bar stands for more than it moves. */

  let drawing = 0;

  function draw_list() {
    if (!drawing) drawing = requestAnimationFrame(() => { drawing = 0; put_rows(); });
  }

  const row_height = () => 3.4 * parseFloat(getComputedStyle(document.documentElement).fontSize);

  function geometry() {
    const each = row_height(), seen = list.clientHeight, tall = shown.length * each, height = Math.min(tall, TALLEST);
    return { each, seen, height, stretch: tall > TALLEST ? (tall - seen) / Math.max(1, height - seen) : 1 };
  }

  function put_rows() {
    const { each, seen, height, stretch } = geometry();
    room.style.height = `${height}px`;
    const above = list.scrollTop * stretch, first = Math.max(0, Math.floor(above / each) - OVERSCAN);
    const last = Math.min(shown.length, Math.ceil((above + seen) / each) + OVERSCAN);
    rows.style.top = `${list.scrollTop - above + first * each}px`;
    const found = [];
    for (let k = first; k < last; k++) found.push(row_of(k, (k - first) * each));
    if (!shown.length) found.push(make("p", { class: "nothing" }, words.nothing));
    rows.replaceChildren(...found);
    list.setAttribute("aria-activedescendant", state.item >= 0 ? `row-${state.item}` : "");
    const missing = new Set();
    for (let k = first; k < last; k++) {
      const name = `items-${Math.floor(shown[k] / head.chunk) + 1}`;
      if (!ready.has(name)) missing.add(name);
    }
    for (const name of missing) load(name).then(draw_list, () => broken(name));
  }

  function row_of(k, top) {
    const place = shown[k], item = ready.get(`items-${Math.floor(place / head.chunk) + 1}`)?.[place % head.chunk];
    const link = make("a", { class: "row", role: "option", tabindex: "-1", id: `row-${place}`, href: address(place), "aria-selected": String(place === state.item), "aria-setsize": shown.length, "aria-posinset": k + 1, "aria-current": place === state.item ? "true" : null, onclick: (event) => picked(event, place) },
      make("span", { class: "id" }, ids[place]), dots(place),
      make("span", { class: "ask", dir: "auto", lang: item ? item[5] : null }, item ? begins(item[0]).slice(0, 300) : "…"));
    link.style.top = `${top}px`;
    return link;
  }

  function dots(place) {
    if (review.hides(place)) return make("span", { class: "dots" }, make("span", { class: "dot off", role: "img", "aria-label": words.hidden, title: words.hidden }));
    return make("span", { class: "dots" }, ...[review.mark(place), ...runs.map((run) => dot(run, place))].filter(Boolean));
  }

  function dot(run, place) {
    const there = run.kind[place] !== ABSENT, value = run.value[place];
    const title = `${run.short}: ${there ? words[`value_${value}`] : words.not_in_run}`;
    return make("span", { class: `dot ${there ? `v${value}` : "off"}`, role: "img", "aria-label": title, title });
  }

  function picked(event, place) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open(place);
  }

  const rank_of = (place) => (state.sort === "by_plan" ? search_in(place) : shown.indexOf(place));

  function search_in(place) {
    let low = 0, high = shown.length;
    while (low < high) {
      const middle = low + high >> 1;
      if (shown[middle] < place) low = middle + 1;
      else high = middle;
    }
    return shown[low] === place ? low : -1;
  }

  function bring_into_view() {
    const k = rank_of(state.item), { each, seen, height, stretch } = geometry();
    if (k < 0) return;
    room.style.height = `${height}px`;
    const above = list.scrollTop * stretch;
    if (k * each < above) list.scrollTop = k * each / stretch;
    else if ((k + 1) * each > above + seen) list.scrollTop = ((k + 1) * each - seen) / stretch;
  }

  /* Which item, and its address */

  function open(place, { focus = false } = {}) {
    const opened = !document.body.classList.contains("open");
    state.item = place;
    write_address(opened);
    bring_into_view();
    draw_list();
    draw_item();
    detail.scrollTop = 0;
    if (focus) detail.focus();
  }

  function close() {
    state.item = -1;
    write_address(false);
    draw_list();
    draw_item();
    list.focus();
  }

  function step(by) {
    if (!shown.length) return;
    const k = rank_of(state.item);
    const next = k < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.min(shown.length - 1, Math.max(0, k + by));
    if (shown[next] !== state.item) open(shown[next]);
  }

  const plain = (text) => encodeURIComponent(text).replace(/%2F/g, "/").replace(/%40/g, "@").replace(/%3A/g, ":");

  function address(place) {
    const parts = [];
    const add = (name, value) => { if (value) parts.push(`${plain(name)}=${plain(String(value))}`); };
    add("q", state.query);
    add("run", state.run);
    if (state.outcome) add("outcome", state.outcome.startsWith("v") ? `value_${state.outcome.slice(1)}` : head.kinds[state.outcome.slice(1)]);
    if (state.flag) add("flag", head.flags[Math.log2(state.flag)]);
    add("agreement", state.agreement);
    for (const column of columns) {
      const value = state.values[column.name];
      if (value) add(`label.${column.name}`, value === "changed" ? "*" : column.values[value - 1] || "-");
    }
    if (state.sort !== "by_plan") add("sort", state.sort);
    return `#${[place >= 0 ? plain(ids[place]) : "", ...parts].join("&")}`;
  }

  function write_address(new_entry) {
    try { history[new_entry ? "pushState" : "replaceState"](null, "", address(state.item)); } catch { /* asked too often */ }
  }

  function decoded(text) {
    try { return decodeURIComponent(text); } catch { return text; }
  }

  function follow() {
    const [id, ...parts] = location.hash.slice(1).split("&");
    const given = new Map(parts.map((part) => {
      const [name, ...value] = part.split("=");
      return [decoded(name), decoded(value.join("="))];
    }));
    const asked = decoded(id), outcome = given.get("outcome") || "", flag = head.flags.indexOf(given.get("flag"));
    const run_before = state.run;
    Object.assign(state, {
      query: given.get("q") || "",
      run: runs[given.get("run") - 1] ? Number(given.get("run")) : 0,
      outcome: /^value_[0-3]$/.test(outcome) ? `v${outcome.slice(6)}` : head.kinds.includes(outcome) ? `k${head.kinds.indexOf(outcome)}` : "",
      flag: flag < 0 ? "" : String(1 << flag),
      agreement: ["alike", "differ"].includes(given.get("agreement")) ? given.get("agreement") : "",
      sort: SORTS.includes(given.get("sort")) ? given.get("sort") : "by_plan",
      values: Object.create(null),
      item: place_of.has(asked) ? place_of.get(asked) : -1,
    });
    for (const column of columns) {
      const value = given.get(`label.${column.name}`);
      const code = value === "*" ? "changed" : value === "-" ? column.values.indexOf("") + 1 : column.values.indexOf(value) + 1;
      if (value && code) state.values[column.name] = String(code);
    }
    if (state.run !== run_before) review.recode();
    field.value = state.query;
    sorting.value = state.sort;
    for (const [key, { element }] of selects) {
      element.value = key.startsWith("label.") ? state.values[key.slice(6)] || "" : String(state[key] || "");
    }
    if (state.query !== searched) search();
    update();
    bring_into_view();
    draw_list();
    draw_item(asked && state.item < 0 ? asked : "");
  }

  function pressed(event) {
    const within = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (review.pressed(event, within)) return;
    if (event.key === "Escape") {
      if (within === field && field.value) { field.value = ""; typed(); }
      else if (within.matches("input, select")) list.focus();
      else if (state.item >= 0) close();
      return;
    }
    if (within === field && (event.key === "ArrowDown" || event.key === "Enter")) list.focus();
    else if (within.matches("input, select, textarea")) return;
    const on_list = within === list || within === field || within === document.body;
    const does = {
      "/": () => field.select(),
      j: () => step(1), k: () => step(-1),
      ArrowRight: () => step(1), ArrowLeft: () => step(-1),
    }[event.key] || (on_list && {
      ArrowDown: () => step(1), ArrowUp: () => step(-1),
      PageDown: () => step(10), PageUp: () => step(-10),
      Home: () => shown.length && open(shown[0]), End: () => shown.length && open(shown[shown.length - 1]),
      Enter: () => (state.item >= 0 ? detail.focus() : step(1)),
    }[event.key]);
    if (!does) return;
    event.preventDefault();
    does();
  }

  /* One item */

  let walk = null, drawn = 0;

  async function draw_item(unknown = "") {
    const token = ++drawn, place = state.item;
    document.body.classList.toggle("open", place >= 0 || unknown !== "");
    document.body.classList.toggle("closed", place < 0);
    if (place < 0) {
      walk = null;
      review.left();
      detail.replaceChildren(make("p", { class: "note" }, unknown ? say("unknown", { id: unknown }) : words.choose), make("p", { class: "keys" }, review.on() ? `${words.review_keys}. ${words.keys}` : words.keys));
      return;
    }
    const wanted = runs.map((run, r) => [run, run.row[place] === NO_ROW ? null : `run${r + 1}-${Math.floor(run.row[place] / head.chunk) + 1}`]);
    let item, answers;
    try {
      item = (await load(`items-${Math.floor(place / head.chunk) + 1}`))[place % head.chunk];
      answers = await Promise.all(wanted.map(async ([run, name]) => (name ? (await load(name))[run.row[place] % head.chunk] : null)));
    } catch (error) {
      if (token === drawn) broken(error.message);
      return;
    }
    if (token !== drawn) return;
    const [question, reference, options, images, left_out, lang, changes, facts, given, cluster] = item;
    const drawing_on = answers.some((answer) => answer && answer[5]);
    const said = make("dl", {}, ...[
      entry(words.question, passage(question, lang, "question")),
      given ? entry(words.given, passage(given, lang)) : null,
      options.length ? entry(words.options, ...options.map(([letter, text]) => make("div", {}, `${letter}. `, passage(text, lang)))) : null,
      reference === null ? null : entry(words.reference, reference ? passage(reference, lang) : make("span", { class: "small" }, words.empty_text)),
      facts.length ? entry(words.facts, ...facts.map((fact) => passage(fact, lang))) : null,
    ].filter(Boolean).flat());
    const pictures = images.filter((each, k) => k > 0 || !drawing_on).map((each) => picture(each, place));
    if (left_out) pictures.push(make("p", { class: "note" }, say("more_pictures", { n: number(left_out) })));
    const hides = review.hides(place), looked_at = hides ? [review.subject()] : runs.map((_, r) => r);
    walk = make("nav", { class: "walk-bar" });
    detail.replaceChildren(
      walk,
      make("h2", { class: "name" }, ids[place]),
      make("ul", { class: "tags" }, ...tags(place, changes), make("li", {}, `${words.cluster}: ${cluster}`)),
      ...versions_of(place),
      make("div", { class: "about" }, pictures.length ? make("div", { class: "pictures" }, ...pictures) : null, said),
      make("div", { class: "runs" }, ...looked_at.map((r) => answered(runs[r], place, answers[r], images[0], hides, review.said_of(place, r)))),
      ...(review.on() ? [review.buttons(place)] : []),
      make("p", { class: "keys" }, review.on() ? `${words.review_keys}. ${words.keys}` : words.keys));
    draw_walk();
    highlight();
  }

  function draw_walk() {
    if (!walk) return;
    const k = rank_of(state.item);
    walk.replaceChildren(
      make("button", { type: "button", class: "close", onclick: close }, `← ${words.close}`),
      make("button", { type: "button", onclick: () => step(-1), disabled: k === 0 || !shown.length }, `↑ ${words.previous}`),
      make("button", { type: "button", onclick: () => step(1), disabled: k === shown.length - 1 || !shown.length }, `↓ ${words.next}`),
      make("span", {}, k < 0 ? words.not_shown : say("place", { n: number(k + 1), all: number(shown.length) })));
  }

  function tags(place, changes) {
    const found = [];
    for (const column of columns) {
      const code = column.codes[place];
      if (!code || (column.name.startsWith("@") && column.name !== "@benchmark") || (column.name === "@benchmark" && column.values.length < 2)) continue;
      found.push(make("li", {}, `${title_of(column)}: ${local(column.titles[code - 1])}`));
    }
    for (const [name, severity, truth] of changes) found.push(make("li", {}, `${name}:${severity} (${words[`truth_${truth}`] || truth})`));
    return found;
  }

  function versions_of(place) {
    if (!versions) {
      versions = new Map();
      pair.forEach((group, i) => { versions.has(group) ? versions.get(group).push(i) : versions.set(group, [i]); });
    }
    const all = versions.get(pair[place]);
    if (all.length < 2) return [];
    const condition = columns.find((column) => column.name === "@condition");
    const links = all.slice(0, 100).map((each) => make("li", {}, make("a", { href: address(each), "aria-current": each === place ? "true" : null, onclick: (event) => picked(event, each) },
      condition.titles[condition.codes[each] - 1] || words.clean, dots(each))));
    return [make("h3", {}, words.versions), make("ul", { class: "versions" }, ...links)];
  }

  const entry = (title, ...content) => [make("dt", {}, title), make("dd", {}, ...content)];

  function answered(run, place, row, image, hides, labels) {
    const there = row !== null && run.kind[place] !== ABSENT, value = run.value[place];
    const card = make("section", { class: `run ${there && !hides ? `v${value}` : ""}` }, make("h3", {}, hides ? "" : dot(run, place), make("span", {}, run.short)));
    if (!there) {
      card.append(make("p", { class: "note" }, words.not_in_run));
      return card;
    }
    const [answer, why, lang, thinking, reason, screen] = row, kind = head.kinds[run.kind[place]];
    const outcome = make("p", { class: "outcome" }, words[`kind_${kind}`] || kind);
    head.flags.forEach((flag, bit) => { if (run.flags[place] >> bit & 1) outcome.append(make("span", { class: "flag" }, words[`flag_${flag}`] || flag)); });
    const nothing = words[why] || say("no_answer", { why });
    if (!hides) card.append(outcome);
    if (screen) card.append(on_screen(screen, image, place, hides));
    card.append(make("dl", {},
      make("dt", {}, words.answer, thinking ? make("span", { class: "small" }, ` (${say("thinking", { n: number(thinking) })})`) : null),
      make("dd", {}, answer === null ? make("span", { class: "text answer small" }, nothing) : passage(answer, lang, "answer")),
      ...(reason === "" || hides ? [] : entry(words.judge, passage(reason, "en"))),
      ...(labels.length ? entry(words.others_say, ...labels) : [])));
    return card;
  }

  /* A text: as it is where it is short, else its beginning with a button for the whole of it */
  function passage(text, lang, kind = "") {
    const beginning = begins(text), length = typeof text === "string" ? text.length : text[1];
    if (!beginning) return make("span", { class: "small" }, words.empty_text);
    const lines = beginning.split("\n", FOLD_LINES + 1);
    const span = make("span", { class: `text ${kind}`, lang, dir: "auto" }, beginning);
    if (length <= FOLD && lines.length <= FOLD_LINES) return span;
    const lead = `${lines.slice(0, 4).join("\n").slice(0, FOLD / 2).trimEnd()} …`;
    span.textContent = lead;
    const button = make("button", { type: "button", class: "more", "aria-expanded": "false" }, say("show_all", { n: number(length) }));
    button.addEventListener("click", async () => {
      const open = button.getAttribute("aria-expanded") !== "true";
      let whole = beginning;
      if (open && typeof text !== "string") {
        button.textContent = words.loading;
        try { whole += (await load(`long-${text[2]}`))[text[3]]; } catch { button.textContent = say("broken", { name: `data/long-${text[2]}.js` }); return; }
      }
      if (open && whole.length > PIECED) span.replaceChildren(...pieces(whole));
      else span.textContent = open ? whole : lead;
      span.classList.toggle("long", open && length > 4 * FOLD);
      button.setAttribute("aria-expanded", open);
      button.textContent = open ? words.show_less : say("show_all", { n: number(length) });
      highlight();
    });
    return make("div", {}, span, button);
  }

  /* A very long text in blocks, so that the browser lays out only those that are seen */
  function pieces(text) {
    const found = [];
    for (let start = 0; start < text.length;) {
      let end = Math.min(text.length, start + PIECE);
      if (end < text.length) {
        const window = text.slice(start, end), line = window.lastIndexOf("\n"), space = window.lastIndexOf(" ");
        if (line > 0 || space > 0) end = start + (line > 0 ? line : space) + 1;
        else if (/[\ud800-\udbff]/.test(text[end - 1])) end--;
      }
      found.push(make("span", { class: "piece" }, text.slice(start, end)));
      start = end;
    }
    return found;
  }

  function picture(each, place) {
    const [file, width, height, note] = head.images[each];
    if (!file) return make("p", { class: "gone" }, note);
    return make("img", { src: `images/${file}`, width, height, loading: "lazy", decoding: "async", alt: say("picture_of", { id: ids[place] }) });
  }

  /* What the answer says, drawn over the screen in pixels of the original */
  function on_screen([width, height, unread, places, parts], image, place, hides) {
    if (hides) {  // what is hit, missed or invented is the judge's to say
      places = places.map(([kind, ...where]) => [["hit", "miss"].includes(kind) ? "answer" : kind, ...where]);
      parts = [];
    }
    const [file, , , note] = image === undefined ? ["", 0, 0, ""] : head.images[image];
    if (!file) return make("p", { class: "gone" }, note);
    if (!width) return picture(image, place);
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": say("picture_of", { id: ids[place] }) },
      draw("image", { href: `images/${file}`, width, height, preserveAspectRatio: "none" }));
    const legend = make("figcaption", {}), lists = [], kinds = new Set();
    for (const mark of places) {
      kinds.add(mark[0]);
      svg.append(shape(mark, "halo"), shape(mark, mark[0]));
    }
    for (const kind of kinds) legend.append(make("span", { class: kind }, `▬ ${words[`mark_${kind}`] || kind}`));
    for (const [kind, sign, total, lines] of parts) {
      legend.append(make("span", { class: kind }, `▬ ${sign} ${words[`mark_${kind}`] || kind}: ${number(total)}`));
      const entries = lines.map(([n, type, truth, listed, same, about, mark, theirs]) => {
        const shapes = mark ? [shape(mark, kind)] : [];
        svg.append(...shapes);
        const light = (on) => {
          shapes.forEach((each) => each.classList.toggle("lit", on));
          svg.querySelectorAll(".theirs").forEach((each) => each.remove());
          if (on && theirs) svg.append(shape(theirs, "theirs"));
        };
        return make("li", { tabindex: "0", onmouseenter: () => light(true), onmouseleave: () => light(false), onfocus: () => light(true), onblur: () => light(false) },
          make("b", {}, `${sign}${n}`),
          make("span", {}, make("span", { class: "small" }, `${type} `), make("span", { dir: "auto", class: "text" }, truth || listed), truth && listed && !same ? make("span", { class: "small text", dir: "auto" }, `→ ${listed}`) : null, about ? make("span", { class: "small" }, ` ${about}`) : null));
      });
      if (entries.length) lists.push(make("details", {}, make("summary", {}, `${words[`mark_${kind}`] || kind} (${number(total)})`), make("ul", { class: "elements" }, ...entries)));
    }
    if (unread) legend.append(make("span", {}, words.unread));
    else if (!places.length && !parts.length) legend.append(make("span", {}, words.nothing_drawn));
    return make("figure", { class: "drawn" }, svg, legend, ...lists);
  }

  function shape([, left, top, width, height, point], kind) {
    if (point) return draw("path", { class: `mark point ${kind}`, d: `M${left} ${top}h0.01` });
    return draw("rect", { class: `mark ${kind}`, x: left, y: top, width, height });
  }

  function highlight() {
    if (!window.CSS?.highlights) return;
    CSS.highlights.delete("found");
    const terms = terms_of(state.query), ranges = [];
    if (!terms.length) return;
    const walker = document.createTreeWalker(detail, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && ranges.length < 500; node = walker.nextNode()) {
      if (!node.parentElement.closest(".text, .name")) continue;
      const text = node.data.toLowerCase();
      if (text.length !== node.data.length) continue;
      for (const term of terms) {
        for (let at = text.indexOf(term); at >= 0 && ranges.length < 500; at = text.indexOf(term, at + term.length)) {
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + term.length);
          ranges.push(range);
        }
      }
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  }
})();
