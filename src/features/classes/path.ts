export const myClassPath = '/my-class/';

export const homePath = ({ id }: { readonly id: number }): string => `${myClassPath}?class=${id}`;

export const classListPath = '/moderation/classes/';
