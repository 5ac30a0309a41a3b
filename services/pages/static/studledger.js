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

// Where a part of a page is no answer, the whole is: to sign in again, or what is wrong beside its field.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.status === 200 && new URL(xhr.responseURL).pathname === location.pathname) return;
  event.detail.shouldSwap = event.detail.isError = false;
  location.assign(xhr.responseURL);
});

// What is empty is not asked for.
document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.verb !== "get") return;
  for (const [name, value] of [...event.detail.formData.entries()]) {
    if (value === "") event.detail.formData.delete(name);
  }
});

// A select with data-go sends its form when another choice is made.
document.addEventListener("change", (event) => {
  if (event.target.matches("select[data-go]")) event.target.form.requestSubmit();
});
