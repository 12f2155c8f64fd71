// Uses the page as a reader would; the results become text that --dump-dom prints.
(async () => {
  const results = {};
  const pause = () => new Promise((done) => setTimeout(done, 50));
  const visible = (e) => e.getClientRects().length > 0;
  const rows = (table) => Array.from(table.tBodies[0].rows);
  const column = (table, at) => rows(table).map((row) => row.cells[at].dataset.sort ?? null);
  const check = async (name, act) => {
    try { results[name] = await act(); } catch (e) { results[name] = "threw " + e; }
  };
  const task = document.getElementById("filter-task");
  const model = document.getElementById("filter-model");
  const other = Array.from(task.options).map((o) => o.value).find((value) => value && value !== "Pursuit");

  await check("restored", () => ({
    task: task.value,
    others: Array.from(document.querySelectorAll(`main [data-task="${other}"]`)).filter((e) => !e.closest("svg") && visible(e)).length,
    chosen: Array.from(document.querySelectorAll('main tr[data-task="Pursuit"]')).filter(visible).length,
  }));
  await check("filter", async () => {
    const set = (select, value) => { select.value = value; select.dispatchEvent(new Event("change", { bubbles: true })); };
    set(task, other);
    const first = model.options[1].value;
    set(model, first);
    await pause();
    const shown = rows(document.querySelector("#groups table")).filter(visible);
    const result = {
      right: shown.length > 0 && shown.every((row) => row.dataset.task === other && row.dataset.model === first),
      hash: location.hash === "#leaderboard&model=" + encodeURIComponent(first) + "&task=" + encodeURIComponent(other),
    };
    set(task, ""); set(model, "");
    await pause();
    result.reset = rows(document.querySelector("#groups table")).every(visible);
    return result;
  });
  await check("back", async () => {
    location.hash = "#scores&task=" + encodeURIComponent(other);
    await pause();
    const restored = task.value === other;
    location.hash = "#scores";
    await pause();
    return { restored, cleared: task.value };
  });
  await check("sort", () => {
    const table = document.querySelector("#groups table");
    const at = 4;
    const head = table.tHead.rows[0].cells[at];
    const button = head.querySelector("button");
    const ordered = (sign) => {
      const keys = column(table, at);
      const numbers = keys.filter((k) => k !== null).map(Number);
      const last = keys.slice(numbers.length).every((k) => k === null); // undefined cells stay last
      return last && numbers.length > 2 && numbers.every((n, i) => i === 0 || sign * (n - numbers[i - 1]) >= 0);
    };
    const before = rows(table).length;
    button.click();
    const up = { aria: head.getAttribute("aria-sort"), ordered: ordered(1) };
    // Enter and Space press a focused native button; pages can't send such keys to themselves, so that it is one is checked.
    button.focus();
    const keyboard = document.activeElement === button && button.tagName === "BUTTON" && button.tabIndex === 0 && !button.disabled;
    document.activeElement.click();
    const down = { aria: head.getAttribute("aria-sort"), ordered: ordered(-1) };
    table.tHead.rows[0].cells[1].querySelector("button").click();
    const names = rows(table).map((row) => row.cells[1].textContent);
    const byName = names.every((name, i) => i === 0 || names[i - 1].localeCompare(name, undefined, { numeric: true }) <= 0);
    return { up, down, keyboard, byName, one: table.querySelectorAll("[aria-sort]").length, kept: rows(table).length === before };
  });
  await check("search", async () => {
    const block = document.getElementById("run-table");
    const input = block.querySelector("input[type=search]");
    const all = rows(block.querySelector("table"));
    const wanted = all[3].cells[0].textContent.trim() + all[3].cells[1].textContent.trim();
    const needle = all[3].textContent.toLowerCase().slice(0, 40);
    input.value = needle;
    input.dispatchEvent(new Event("input"));
    const shown = all.filter(visible);
    const right = shown.length > 0 && shown.length < all.length && shown.every((row) => row.textContent.toLowerCase().includes(needle));
    input.value = "";
    input.dispatchEvent(new Event("input"));
    return { right, labelled: Boolean(input.getAttribute("aria-label")), reset: all.every(visible), wanted: wanted.length > 0 };
  });
  await check("theme", () => {
    const button = document.getElementById("theme");
    const colours = () => getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color;
    const before = colours();
    button.click();
    const first = colours();
    button.click();
    return { shown: visible(button), changed: first !== before, back: colours() !== first };
  });
  await check("links", () => {
    const link = document.querySelector('nav a[href="#findings"]');
    const section = document.getElementById("findings");
    link.click();
    return { focused: document.activeElement === section, hash: location.hash };
  });
  await check("wide", () => document.documentElement.scrollWidth <= innerWidth);
  await check("names", () => {
    const unnamed = Array.from(document.querySelectorAll("button, select, input, a[href]"))
      .filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || (e.labels && e.labels.length)));
    const images = Array.from(document.querySelectorAll("main svg[role=img]"));
    return { unnamed: unnamed.length, figures: images.length > 0 && images.every((svg) => svg.querySelector("title").textContent.trim()) };
  });
  await pause();
  results.seen = window.seen;
  const out = document.createElement("pre");
  out.id = "results";
  out.textContent = JSON.stringify(results).replace(/[<>&]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  document.body.append(out);
})();
