// The part of a picture that covers show: they have one shape, and cut off what does not fit into it.

export const focuses = [
  'top-left',
  'top',
  'top-right',
  'left',
  'center',
  'right',
  'bottom-left',
  'bottom',
  'bottom-right',
] as const;

export type Focus = (typeof focuses)[number];
