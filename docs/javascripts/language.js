// The links to the other languages lead to the same place: the same position, the same example.
(() => {
  "use strict";

  for (const link of document.querySelectorAll(".language a")) {
    link.addEventListener("click", () => {
      link.search = location.search;
      link.hash = location.hash;
    });
  }
})();
