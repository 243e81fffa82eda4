// Two editions of the table side by side: `?left=zoch-2005&right=sheet-001`.
(() => {
  "use strict";

  const form = document.getElementById("compare");
  const table = document.getElementById("comparison");
  const query = new URLSearchParams(location.search);
  const columns = [...table.querySelectorAll("th[data-edition-column]")];
  const names = columns.map((head) => head.dataset.editionColumn);

  function fill(select, name) {
    for (const head of columns) {
      select.append(new Option(head.textContent, head.dataset.editionColumn));
    }
    select.value = names.includes(name) ? name : names[0];
  }

  function show() {
    const chosen = [form.left.value, form.right.value];
    for (const cell of table.querySelectorAll("[data-edition-column]")) {
      cell.hidden = !chosen.includes(cell.dataset.editionColumn);
    }
    let differing = 0;
    for (const row of table.tBodies[0].rows) {
      const shown = [...row.cells].filter((cell) => cell.tagName === "TD" && !cell.hidden);
      const differs = new Set(shown.map((cell) => cell.dataset.value)).size > 1;
      row.classList.toggle("is-same", !differs);
      differing += differs;
    }
    const { none, one, many } = form.dataset;
    const told = differing === 0 ? none : differing === 1 ? one : many.replace("#", differing);
    form.querySelector("[role=status]").textContent = told;
  }

  fill(form.left, query.get("left"));
  fill(form.right, query.get("right") ?? "sheet-001");
  form.hidden = false;
  form.addEventListener("change", () => {
    const address = new URL(location.href);
    address.searchParams.set("left", form.left.value);
    address.searchParams.set("right", form.right.value);
    history.replaceState(null, "", address);
    show();
  });
  show();
})();
