// Sends the form of a page that only leads on.

document.querySelector('[data-send]')?.requestSubmit();
