// Loads the viewer of models when somebody wants to see one.

for (const figure of document.querySelectorAll('.model')) {
  const { file, reader, viewer, label, broken } = figure.dataset;
  const stage = figure.querySelector('.model-stage');
  const button = stage.querySelector('button');
  button.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const [response, { readModel }, { showModel }] = await Promise.all([
        fetch(file),
        import(reader),
        import(viewer),
      ]);
      if (!response.ok) throw new Error(String(response.status));
      const canvas = showModel(readModel(await response.arrayBuffer()));
      canvas.ariaLabel = label;
      stage.replaceChildren(canvas);
      canvas.focus();
    } catch {
      const problem = document.createElement('p');
      problem.className = 'notice';
      problem.role = 'alert';
      problem.textContent = broken;
      button.remove();
      figure.querySelector('figcaption').before(problem);
    }
  });
}
