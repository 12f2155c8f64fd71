"use strict";
(() => {
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
  const make = (tag, text) => { const e = document.createElement(tag); if (text) e.textContent = text; return e; };

  // Theme: the system's, until the reader chooses; the choice lasts for the visit only (file:// has no storage to rely on).
  const themeButton = document.getElementById("theme");
  themeButton.hidden = false;
  themeButton.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  // Contents: a drop-down on narrow screens.
  const contents = document.querySelector("nav details");
  const narrow = matchMedia("(max-width: 900px)");
  const fold = () => { contents.open = !narrow.matches; };
  narrow.addEventListener("change", fold);
  fold();
  const links = new Map(all("nav a").map((a) => [a.getAttribute("href").slice(1), a]));
  if ("IntersectionObserver" in window) {
    const watch = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) {
        links.forEach((a) => a.removeAttribute("aria-current"));
        const link = links.get(entry.target.id);
        if (link) link.setAttribute("aria-current", "true");
      }
    }, { rootMargin: "0px 0px -70% 0px" });
    all("main > section").forEach((s) => watch.observe(s));
  }

  // Tables: sort by click or keyboard, filter, copy, download.
  const cellKey = (row, at) => {
    const cell = row.cells[at];
    if (!cell) return { undefined: true };
    const sort = cell.dataset.sort;
    if (sort !== undefined) return { number: Number(sort) };
    const text = cell.textContent.trim();
    return text === "–" ? { undefined: true } : { text };
  };
  const compare = (a, b, sign) => {
    if (a.undefined || b.undefined) return (a.undefined ? 1 : 0) - (b.undefined ? 1 : 0); // undefined stays last
    if (a.number !== undefined && b.number !== undefined) return sign * (a.number - b.number);
    return sign * String(a.text ?? a.number).localeCompare(String(b.text ?? b.number), undefined, { numeric: true });
  };
  const shownRows = (table) => [table.tHead.rows[0], ...Array.from(table.tBodies[0].rows)].filter((r) => !r.matches(".filtered,.searched"));
  const cellText = (cell) => cell.textContent.trim().replace(/\s+/g, " ");
  const asTsv = (table) => shownRows(table).map((r) => Array.from(r.cells).map(cellText).join("\t")).join("\n");
  const quote = (text) => /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  const asCsv = (table) => shownRows(table).map((r) => Array.from(r.cells).map((c) => quote(c.dataset.sort ?? cellText(c))).join(",")).join("\n") + "\n";

  for (const block of all(".table")) {
    const table = block.querySelector("table");
    const body = table.tBodies[0];
    Array.from(table.tHead.rows[0].cells).forEach((head, at) => {
      const button = make("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        all("th", table).forEach((h) => h.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const rows = Array.from(body.rows).map((row) => ({ row, key: cellKey(row, at) }));
        rows.sort((a, b) => compare(a.key, b.key, up ? 1 : -1));
        body.append(...rows.map((r) => r.row));
      });
    });
    if (body.rows.length > 8) {
      const search = make("input");
      search.type = "search";
      search.className = "search";
      search.placeholder = "filter rows";
      search.setAttribute("aria-label", "Filter the rows of this table");
      search.addEventListener("input", () => {
        const wanted = search.value.toLowerCase();
        for (const row of body.rows) {
          const hit = row.textContent.toLowerCase().includes(wanted);
          row.classList.toggle("searched", !hit);
          row.style.display = hit ? "" : "none";
        }
      });
      block.querySelector(".scroll").before(search);
    }
    let bar = block.querySelector(".links");
    if (!bar) { bar = make("p"); bar.className = "links"; block.append(bar); }
    const copy = make("button", "copy as TSV");
    copy.type = "button";
    copy.addEventListener("click", async () => {
      const text = asTsv(table);
      try { await navigator.clipboard.writeText(text); }
      catch { const area = make("textarea"); area.value = text; document.body.append(area); area.select(); document.execCommand("copy"); area.remove(); }
      copy.textContent = "copied";
      setTimeout(() => { copy.textContent = "copy as TSV"; }, 1500);
    });
    const save = make("button", "download CSV");
    save.type = "button";
    save.addEventListener("click", () => {
      const link = make("a");
      link.href = URL.createObjectURL(new Blob([asCsv(table)], { type: "text/csv" }));
      link.download = block.id + ".csv";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    bar.append(copy, save);
  }

  // One filter for model and task; it lives in the hash beside the anchor: #leaderboard&task=Pursuit
  const selects = { model: document.getElementById("filter-model"), task: document.getElementById("filter-task") };
  if (selects.model.options.length > 2 || selects.task.options.length > 2) document.querySelector(".filters").hidden = false;
  const readHash = () => {
    const state = { anchor: "", model: "", task: "" };
    for (const part of location.hash.slice(1).split("&")) {
      const at = part.indexOf("=");
      if (at < 0) { if (part) state.anchor = part; continue; }
      const name = part.slice(0, at);
      if (name === "model" || name === "task") { try { state[name] = decodeURIComponent(part.slice(at + 1)); } catch { /* not ours */ } }
    }
    return state;
  };
  const apply = (state) => {
    for (const name of ["model", "task"]) {
      const select = selects[name];
      const known = Array.from(select.options).some((o) => o.value === state[name]);
      select.value = known ? state[name] : "";
    }
    const { model, task } = { model: selects.model.value, task: selects.task.value };
    const hides = (e) => (task && e.dataset.task !== undefined && e.dataset.task !== task) || (model && e.dataset.model !== undefined && e.dataset.model !== model);
    all("main [data-task], main [data-model]").forEach((e) => {
      const hidden = Boolean(hides(e));
      e.classList.toggle(e.closest("svg") ? "faded" : "filtered", hidden);
    });
  };
  const writeHash = () => {
    const parts = [readHash().anchor];
    for (const name of ["model", "task"]) if (selects[name].value) parts.push(name + "=" + encodeURIComponent(selects[name].value));
    const hash = parts.filter(Boolean).join("&");
    history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
    apply(readHash());
  };
  selects.model.addEventListener("change", writeHash);
  selects.task.addEventListener("change", writeHash);
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest('a[href^="#"]');
    if (!link) return;
    const anchor = link.getAttribute("href").slice(1);
    const target = document.getElementById(anchor);
    if (!target) return;
    event.preventDefault();
    const filters = ["model", "task"].filter((n) => selects[n].value).map((n) => n + "=" + encodeURIComponent(selects[n].value));
    history.pushState(null, "", "#" + [anchor, ...filters].join("&"));
    target.scrollIntoView();
    target.setAttribute("tabindex", "-1");
    target.focus({ preventScroll: true });
    if (narrow.matches) contents.open = false;
  });
  const follow = () => {
    const state = readHash();
    apply(state);
    const target = state.anchor && document.getElementById(state.anchor);
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);
  follow();
  addEventListener("beforeprint", () => all("main details").forEach((d) => { d.open = true; }));
})();
