/** The colours of paper and paint in a workshop, of posters and avatars: see posters.css. */
export const colours = ['chalk', 'brass', 'plum', 'felt', 'copper', 'indigo', 'moss', 'brick'];

/** The same id always has the same colour. */
export const colourOf = (id: number) => colours[(id * 5) % colours.length] ?? '';
