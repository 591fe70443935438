// Code that goes on and on, for tests of how it is coloured.

export const codeLanguages = ['c', 'rs', 'js', 'py', 'sh', 'lua', 'sql', 'json', 'css', 'yaml', 'html'];

export const codePieces = [
  ...['"', "'", '`', '"""', '/*', '#', '\\', '<a ', '<', '<!--', '1,', '$', 'a(', '@a', '#a', '--'],
  ...[' ', '\n', 'a ', 'é', '"a" ', 'a: ', '0x', '1e', '{', 'int '],
];
