/* Labels by people: is this answer right? The judge's verdict and other runs are hidden until that is said.

   Labels are kept by the browser for this page, by run, item and person, and are downloaded as `snellen audit RUN
   --human FILE` reads them. What a file says becomes the text of a text node and nothing else. */
"use strict";

window.snellenReview = (page) => {
  const { head, ids, runs, columns, state, make, say, number } = page;
  const ABSENT = 255, LONGEST = 60, CODES = { 1: 2, 0: 3, "?": 4 };
  const base = (run) => run.name.split("@")[0];
  const id_of = (place) => head.given[place] ?? ids[place];
  const stores = new Map(runs.map((run) => [base(run), new Map()])), drafts = new Map(), done = [], unsaved = new Set();
  const written = new Map(head.meanings.flatMap(([value, all]) => all.map((word) => [word, value === null ? "?" : String(value)])));
  let on = false, blind = true, rater = "", kept = true, told = "", known = null, bar = null, top = null;

  /* What the browser keeps */

  function remembered(name) {
    try { return localStorage.getItem(name); } catch { kept = false; return null; }
  }

  function remember(name, text) {
    try { localStorage.setItem(name, text); } catch { kept = false; }
  }

  const key_of = (name) => `snellen-labels ${name}`;

  function restore(name) {
    const store = stores.get(name);
    store.clear();
    let rows = [];
    try { rows = JSON.parse(remembered(key_of(name)) || "[]"); } catch { /* not ours */ }
    for (const row of Array.isArray(rows) ? rows : []) {
      if (Array.isArray(row) && row.length === 4 && row.every((each) => typeof each === "string") && Object.hasOwn(CODES, row[2])) put(store, ...row);
    }
  }

  function save(name, who) {
    const rows = [];
    for (const [id, by] of stores.get(name)) for (const [who, { label, note }] of by) rows.push([id, who, label, note]);
    remember(key_of(name), JSON.stringify(rows));
    if (who !== undefined) unsaved.add(who);
  }

  function put(store, id, who, label, note) {
    if (!store.has(id)) store.set(id, new Map());
    store.get(id).set(who, { label, note });
  }

  rater = (remembered("snellen-rater") || "").slice(0, LONGEST);
  remember("snellen-rater", rater);
  for (const name of stores.keys()) restore(name);
  addEventListener("storage", ({ key }) => {
    // What another window keeps replaces what is here, unless this one could not keep its own.
    if (kept) for (const name of stores.keys()) if (key === key_of(name)) restore(name);
    recode();
    page.refresh();
  });
  addEventListener("beforeunload", (event) => { if (unsaved.size && !kept) event.preventDefault(); });

  /* Labels as filters: columns beside those of the items */

  const subject = () => (state.run ? state.run - 1 : 0);
  const there = (place, r = subject()) => runs[r].kind[place] !== ABSENT;
  const by_people = (place, r = subject()) => (there(place, r) ? stores.get(base(runs[r])).get(id_of(place)) : undefined);
  const own = (place) => by_people(place)?.get(rater);
  const column = (name, values, hidden) => ({ name, title: "", values, titles: values.map(() => ""), codes: new Uint16Array(ids.length), counts: new Uint32Array(values.length + 1), hidden });
  const any = () => on || [...stores.values()].some((store) => store.size);
  const drawn = column("@drawn", ["yes", "no"], () => !runs.some((run) => run.drawn.length));
  const label = column("@label", ["", "1", "0", "?"], () => !any());
  const raters = column("@raters", ["few", "alike", "differ"], () => !any());
  columns.push(drawn, label, raters);
  const rank = new Map();

  function recode() {
    drawn.codes.fill(2);
    rank.clear();
    runs[subject()].drawn.forEach((place, k) => { drawn.codes[place] = 1; rank.set(place, k); });
    for (let place = 0; place < ids.length; place++) recode_one(place);
  }

  function recode_one(place) {
    const said = there(place) ? by_people(place) : undefined;
    label.codes[place] = said?.has(rater) ? CODES[said.get(rater).label] : 1;
    const decided = said ? [...said.values()].map((each) => each.label).filter((each) => each !== "?") : [];
    raters.codes[place] = decided.length < 2 ? 1 : new Set(decided).size === 1 ? 2 : 3;
  }

  /* Labelling */

  function toggle() {
    on = !on;
    told = "";
    if (on) {
      const first = Math.max(0, runs.findIndex((run) => run.drawn.length));
      if (!state.run && runs.length > 1) state.run = first + 1;
      recode();
      if (runs[subject()].drawn.length && !Object.values(state.values).some(Boolean)) {
        state.values["@drawn"] = "1";
        state.sort = "by_draw";
      }
    } else {
      for (const name of ["@drawn", "@label", "@raters"]) delete state.values[name];
      if (state.sort === "by_draw") state.sort = "by_plan";
    }
    page.rebuild();
    if (on && (state.item < 0 || own(state.item))) {
      const next = next_open(-1);
      if (next >= 0) page.open(next);
    }
  }

  function next_open(place) {
    const shown = page.shown(), from = page.rank_of(place) + 1;
    for (let k = 0; k < shown.length; k++) {
      const each = shown[(from + k) % shown.length];
      if (each !== place && there(each) && !own(each)) return each;
    }
    return -1;
  }

  function give(value) {
    const place = state.item;
    if (place < 0 || !there(place)) return;
    if (!rater) {
      told = page.words().rater_missing;
      page.draw_item().then(() => bar?.querySelector("input.rater")?.focus());
      return;
    }
    const name = base(runs[subject()]), before = own(place), draft = drafts.get(draft_of(place));
    const next = next_open(place);
    done.push([state.run, place, rater, before]);
    put(stores.get(name), id_of(place), rater, value, draft ?? before?.note ?? "");
    drafts.delete(draft_of(place));
    after(name, place, rater);
    if (next >= 0) page.open(next);
    else {
      told = page.words().all_labelled;
      page.draw_item();
    }
  }

  function after(name, place, who) {
    save(name, who);
    told = "";
    recode_one(place);
    page.refresh();
    draw_top();
  }

  function undo() {
    const last = done.pop();
    if (!last) return;
    const [run, place, who, before] = last;
    if (run !== state.run) { state.run = run; recode(); }
    const name = base(runs[subject()]), store = stores.get(name), by = store.get(id_of(place));
    if (before) put(store, id_of(place), who, before.label, before.note);
    else {
      drafts.set(draft_of(place), by?.get(who)?.note ?? "");
      by?.delete(who);
      if (by && !by.size) store.delete(id_of(place));
    }
    after(name, place, who);
    page.open(place);
  }

  const draft_of = (place) => `${subject()} ${place} ${rater}`;

  function noted(text) {
    const place = state.item, said = own(place);
    if (said) {
      said.note = text;
      save(base(runs[subject()]), rater);
    } else drafts.set(draft_of(place), text);
  }

  function named(name) {
    rater = name.trim().slice(0, LONGEST);
    remember("snellen-rater", rater);
    told = "";
    recode();
    page.refresh();
    draw_top();
    page.draw_item();
  }

  /* What is shown */

  function tools() {
    top = make("div", { class: "review-top" });
    draw_top();
    return top;
  }

  function draw_top() {
    if (!top) return;
    const words = page.words(), run = runs[subject()], few = run.drawn.length > 0;
    let count = 0;
    if (few) for (const place of run.drawn) count += own(place) ? 1 : 0;
    else for (let place = 0; place < ids.length; place++) if (label.codes[place] > 1) count++;
    const file = make("input", { type: "file", accept: ".jsonl,.ndjson,.csv,.tsv,.txt", hidden: true, multiple: true, onchange: () => load([...file.files]) });
    const box = make("input", { type: "checkbox", onchange: () => { blind = box.checked; page.refresh(); page.draw_item(); } });
    box.checked = blind;
    top.replaceChildren(
      make("b", { class: "labelled", role: "status" }, say(few ? "labelled_drawn" : "labelled", { n: number(count), all: number(few ? run.drawn.length : run.rows) })),
      name_field(),
      make("label", { class: "blind" }, box, words.blind),
      make("span", { class: "files" }, words.download, " ",
        make("button", { type: "button", onclick: () => download("jsonl") }, "JSON Lines"), " ",
        make("button", { type: "button", onclick: () => download("csv") }, "CSV")),
      make("button", { type: "button", onclick: () => file.click() }, words.load), file,
      kept ? "" : make("span", { class: "small" }, words.not_kept),
      told ? make("span", { class: "told", role: "alert" }, told) : "");
  }

  function name_field() {
    const words = page.words();
    const field = make("input", { type: "text", class: "rater", maxlength: LONGEST, placeholder: words.rater, "aria-label": words.rater, autocomplete: "off", spellcheck: "false", onchange: () => named(field.value) });
    field.value = rater;
    return field;
  }

  function buttons(place) {
    const words = page.words(), said = own(place);
    bar = make("section", { class: "label-bar", "aria-label": words.review });
    if (!there(place)) {
      bar.append(make("p", { class: "note" }, words.not_answer));
      return bar;
    }
    const note = make("input", { type: "text", class: "note-field", placeholder: words.note, "aria-label": words.note, oninput: () => noted(note.value) });
    note.value = said?.note ?? drafts.get(draft_of(place)) ?? "";
    bar.append(make("p", { class: "small" }, words.review_lead), make("div", { class: "choices" },
      ...["1", "0", "?"].map((value) => make("button", { type: "button", class: `label-${value === "?" ? "none" : value}`, "aria-pressed": String(said?.label === value), onclick: () => give(value) }, make("kbd", {}, value), ` ${words[`label_${value}`]}`)),
      make("button", { type: "button", onclick: undo, disabled: !done.length }, make("kbd", {}, "u"), ` ${words.undo}`), note, rater ? "" : name_field()),
    told ? make("p", { class: "told", role: "alert" }, told) : "");
    return bar;
  }

  function said_of(place, r) {
    const by = by_people(place, r);
    if (!by?.size || hides(place)) return [];
    const words = page.words();
    return [...by].map(([who, { label: value, note }]) => make("div", { class: "text", dir: "auto" }, `${who}: ${words[`label_${value}`]}${note ? ` (${note})` : ""}`));
  }

  function mark(place) {
    const said = on ? own(place) : undefined;
    return said ? make("b", { class: "mine", title: page.words()[`label_${said.label}`] }, said.label) : null;
  }

  const hides = (place) => on && blind && !own(place);

  /* Files */

  function download(kind) {
    const rows = [];
    for (const [run, store] of stores) for (const [id, by] of store) {
      const said = by.get(rater);
      if (said) rows.push({ id, run, label: said.label === "?" ? null : Number(said.label), rater, note: said.note });
    }
    const cell = (value) => (/[",;\s]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
    const text = kind === "csv"
      ? `\ufeffid,run,label,rater,note\n${rows.map((row) => [row.id, row.run, row.label === null ? "?" : String(row.label), row.rater, row.note].map(cell).join(",")).join("\n")}\n`
      : rows.map((row) => `${JSON.stringify(row).replace(/[\u0085\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`).join("");
    const link = make("a", { download: `labels-${rater.replace(/[^\p{L}\p{N}]+/gu, "-") || "nobody"}.${kind}` });
    link.href = URL.createObjectURL(new Blob([text], { type: kind === "csv" ? "text/csv" : "application/x-ndjson" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    unsaved.delete(rater);
  }

  async function load(files) {
    let good = 0;
    const bad = [];
    for (const file of files) {
      const text = (await file.text()).replace(/^\ufeff/, "");
      const stem = file.name.replace(/\.[^.]*$/, "");
      for (const [row, values] of /^\s*\{/.test(text) ? json_rows(text) : csv_rows(text)) {
        const problem = take(row, values, stem);
        if (problem) bad.push(problem);
        else good++;
      }
    }
    for (const name of stores.keys()) save(name);
    told = good && !bad.length ? say("loaded", { n: number(good) }) : say(good ? "loaded_some" : "loaded_none", { n: number(good), bad: number(bad.length), first: bad[0] || "" });
    const words = told;
    recode();
    page.rebuild();
    told = words;
    draw_top();
  }

  function take(row, values, stem) {
    if (!values) return say("row_broken", { row });
    const odd = ["id", "label", "run", "rater", "note"].find((name) => typeof values[name] === "object" && values[name] !== null);
    if (odd) return say("row_broken", { row });
    const text = (name) => String(values[name] ?? "").trim(), id = text("id"), run = text("run").split("@")[0];
    if (!id) return say("row_no_id", { row });
    const value = written.get(plain(text("label"))) ?? written.get(plain(text("label")).replaceAll("-", " "));
    if (value === undefined || !("label" in values)) return say("row_no_label", { row, label: text("label").slice(0, LONGEST) });
    const name = run || base(runs[subject()]), store = stores.get(name);
    if (!store || !holds(name, id)) return say("row_no_item", { row, id: `${run} ${id}`.trim().slice(0, 2 * LONGEST) });
    const who = (text("rater") || stem).slice(0, LONGEST);
    if (!store.get(id)?.has(who)) put(store, id, who, value, text("note"));
    return "";
  }

  function holds(name, id) {
    if (!known) {
      known = new Map();
      ids.forEach((_, place) => known.set(id_of(place), [...(known.get(id_of(place)) ?? []), place]));
    }
    return (known.get(id) ?? []).some((place) => runs.some((run, r) => base(run) === name && there(place, r)));
  }

  function plain(text) {
    const word = text.normalize("NFKC").replaceAll("\u2019", "'").toLowerCase().replaceAll("_", " ").split(/\s+/).filter(Boolean).join(" ").replace(/[.!。]+$/, "");
    return word === "1.0" || word === "0.0" ? word[0] : word;
  }

  function* json_rows(text) {
    let row = 0;
    for (const line of text.split("\n")) {
      row++;
      if (!line.trim()) continue;
      let values = null;
      try { values = JSON.parse(line); } catch { /* told of below */ }
      yield [row, values !== null && typeof values === "object" && !Array.isArray(values) ? values : null];
    }
  }

  function* csv_rows(whole) {
    const [sep] = /^"?sep=[,;\t]"?\r?\n/i.exec(whole) || [""], text = whole.slice(sep.length);
    const first = text.split(/\r?\n/, 1)[0], count = (each) => first.split(each).length;
    const separator = [",", ";", "\t"].reduce((best, each) => (count(each) > count(best) ? each : best));
    let cells = [], cell = "", quoted = false, line = sep ? 2 : 1, begun = line, names = null;
    const row = () => {
      cells.push(cell);
      const found = cells;
      cells = [];
      cell = "";
      if (found.every((each) => !each.trim())) return null;
      if (!names) {
        names = found.map((each) => each.trim().toLowerCase());
        return null;
      }
      return [begun, found.length > names.length ? null : Object.fromEntries(found.map((each, k) => [names[k], each]))];
    };
    for (let k = 0; k < text.length; k++) {
      const each = text[k];
      if (each === "\n") line++;
      if (quoted) {
        if (each !== '"') cell += each;
        else if (text[k + 1] === '"') cell += text[++k];
        else quoted = false;
      } else if (each === '"' && !cell) quoted = true;
      else if (each === separator) { cells.push(cell); cell = ""; }
      else if (each === "\n") {
        const found = row();
        if (found) yield found;
        begun = line;
      } else if (each !== "\r") cell += each;
    }
    const found = row();
    if (found) yield found;
  }

  /* Keys */

  function pressed(event, within) {
    if (!on) return false;
    if (event.key === "Enter" && within.matches(".note-field, .rater")) {
      within.blur();
      return true;
    }
    if (within.matches("input, select, textarea")) return false;
    const does = { 1: () => give("1"), 0: () => give("0"), "?": () => give("?"), u: undo, n: () => bar?.querySelector(".note-field")?.focus() }[event.key];
    if (!does || (state.item < 0 && event.key !== "u")) return false;
    event.preventDefault();
    does();
    return true;
  }

  recode();
  return {
    toggle, tools, buttons, said_of, mark, hides, pressed, recode, subject,
    on: () => on,
    order: (place) => (rank.has(place) ? rank.get(place) : 2 ** 20),
    has_draw: () => runs.some((run) => run.drawn.length),
    left: () => { bar = null; },
  };
};
