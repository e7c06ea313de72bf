(() => {
  const tip = document.getElementById("tip");
  const hide = () => { tip.hidden = true; };
  const show = (element) => {
    const found = element && element.closest("[data-tip]");
    if (!found) return hide();
    tip.textContent = found.dataset.tip;
    tip.hidden = false;
    const box = found.getBoundingClientRect(), own = tip.getBoundingClientRect();
    const left = box.left + box.width / 2 - own.width / 2;
    tip.style.left = Math.max(8, Math.min(left, innerWidth - own.width - 8)) + "px";
    const above = box.top - own.height - 8;
    tip.style.top = (above > 8 ? above : box.bottom + 8) + "px";
  };
  for (const way of ["pointerover", "focusin"]) document.addEventListener(way, (event) => show(event.target));
  document.addEventListener("scroll", () => show(document.activeElement), { passive: true });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

  document.addEventListener("click", (event) => { // what a cell leads to may be folded
    const link = event.target.closest("svg a[href]");
    const row = link && document.getElementById(link.getAttribute("href").slice(1));
    const fold = row && row.closest("details");
    if (!fold) return;
    event.preventDefault();
    hide();
    fold.open = true;
    for (const old of fold.querySelectorAll("tr.meant")) old.classList.remove("meant");
    row.classList.add("meant");
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
    hide();
  });

  for (const slider of document.querySelectorAll(".slider")) {
    const input = slider.querySelector("input"), shown = slider.querySelector("label output");
    const said = slider.dataset.said.split("|");
    const outputs = [...slider.querySelectorAll("output[data-y]")];
    const ys = outputs.map((output) => output.dataset.y.split(" "));
    const marks = [...document.querySelectorAll(`[data-follows="${input.id}"]`)];
    const places = marks.map((mark) => {
      const x = mark.dataset.x.split(" "), y = (mark.dataset.y || "").split(" ");
      return mark.tagName === "line" ? { x1: x, x2: x } : { cx: x, cy: y };
    });
    const move = () => {
      const at = Number(input.value);
      shown.textContent = said[at];
      input.setAttribute("aria-valuetext", said[at]);
      outputs.forEach((output, i) => { output.textContent = ys[i][at]; });
      marks.forEach((mark, i) => {
        for (const name in places[i]) mark.setAttribute(name, places[i][name][at]);
      });
    };
    input.addEventListener("input", move);
    move();
  }

  const value = (cell) => {
    const text = cell.textContent.trim().replace("−", "-");
    const number = parseFloat(text.replace(/^[<>]/, "").replace(/,(?=\d{3})/g, ""));
    return Number.isNaN(number) ? text : number;
  };
  const before = (a, b) =>
    typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1;
  for (const table of document.querySelectorAll("table[data-sort]")) {
    table.querySelectorAll("thead th").forEach((head, column) => {
      if (head.querySelector(".sr")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "descending";
        for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "ascending" : "descending");
        const body = table.tBodies[0], sign = down ? 1 : -1;
        const rows = [...body.rows].map((row) => [value(row.cells[column]), row]);
        rows.sort((a, b) => sign * before(a[0], b[0]));
        body.append(...rows.map((row) => row[1]));
      });
    });
  }

  for (const names of document.querySelectorAll("svg .staying")) {
    const svg = names.ownerSVGElement, box = svg.closest(".scroll");
    box?.addEventListener("scroll", () => {
      const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
      names.setAttribute("transform", `translate(${box.scrollLeft * scale} 0)`);
    }, { passive: true });
  }

  const folded = [...document.querySelectorAll("details.group")];
  addEventListener("beforeprint", () => {
    for (const part of folded) { part.dataset.was = part.open; part.open = true; }
  });
  addEventListener("afterprint", () => {
    for (const part of folded) part.open = part.dataset.was === "true";
  });
})();
