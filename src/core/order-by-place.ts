/** A thing that was given the place of another, counted from 1, stands where that was: the others move to make room. */
export const orderByPlace = <Item>(
  items: readonly Item[],
  placeOf: (item: Item) => number | undefined,
): Item[] =>
  items
    .map((item, index) => {
      const place = placeOf(item) ?? index + 1;
      return { item, place: place + Math.sign(place - index - 1) / 2 };
    })
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
