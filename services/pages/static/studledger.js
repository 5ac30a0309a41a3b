// What makes pages nicer. Everything works without it.
"use strict";

// Empty fields of a question stay out of its address.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "get") return;
  for (const field of form.elements) {
    if (field.name && field.value === "") field.disabled = true;
  }
  // Going back finds them as they were.
  setTimeout(() => {
    for (const field of form.elements) field.disabled = false;
  });
});

// A select with data-go sends its form when another choice is made.
document.addEventListener("change", (event) => {
  if (event.target.matches("select[data-go]")) event.target.form.requestSubmit();
});
