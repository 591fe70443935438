export const importPath = '/account/import/';
