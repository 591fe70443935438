// Leaves empty fields out of the URL of a GET form.

for (const form of document.querySelectorAll('form[data-omit-empty]')) {
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
  });
}
