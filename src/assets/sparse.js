// Leaves what is empty out of the address of a form that asks: it would say nothing there.

for (const form of document.querySelectorAll('form[data-sparse]')) {
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
  });
}
