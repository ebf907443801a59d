// What the page does besides its links and forms: it reads a document as soon as one is dropped or chosen.
(() => {
  const zone = (event) => event.target.closest && event.target.closest("[data-drop]");
  document.addEventListener("change", (event) => {
    const form = zone(event);
    if (form && event.target.files.length) form.requestSubmit();
  });
  for (const name of ["dragenter", "dragover"])
    document.addEventListener(name, (event) => zone(event) && zone(event).classList.add("over"));
  for (const name of ["dragleave", "drop"])
    document.addEventListener(name, (event) => zone(event) && zone(event).classList.remove("over"));
  document.addEventListener("htmx:sendError", () => {
    const said = document.createElement("p");
    said.className = "problem";
    said.setAttribute("role", "alert");
    said.textContent = "The server cannot be reached.";
    document.querySelector("main").prepend(said);
  });
})();
