// Plays a linked video in its place, in the player of the other site.

for (const link of document.querySelectorAll('a[data-player]'))
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const player = document.createElement('iframe');
    player.src = link.dataset.player;
    player.title = link.ariaLabel;
    player.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture';
    player.allowFullscreen = true;
    // Players refuse to play for an unknown site.
    player.referrerPolicy = 'strict-origin-when-cross-origin';
    player.sandbox = 'allow-scripts allow-same-origin allow-popups allow-presentation';
    link.replaceWith(player);
    player.focus();
  });
