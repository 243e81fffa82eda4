// The link to the other language leads to the same place: the same position, the same example.
(() => {
  "use strict";

  const link = document.querySelector(".language a");
  link?.addEventListener("click", () => {
    link.search = location.search;
    link.hash = location.hash;
  });
})();
