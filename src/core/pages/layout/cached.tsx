// Components whose HTML is kept for all viewers, by their props. They see the layout of a visitor, so that nothing of one
// viewer gets into what others see.

import { type Child, type JSX, raw } from '#rest/jsx/jsx-runtime.ts';
import { anonymous } from '../../viewer/viewer.ts';
import { LayoutContext, type LayoutData, useLayout } from './layout-data.ts';

/** The types of values that are the same after `JSON.stringify` and `JSON.parse`. */
type Json<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends ((...values: never) => unknown) | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
    ? never
    : { readonly [Key in keyof Value]: Json<Value[Key]> };

let count = 0;

export function cached<Props extends object>(
  Component: (props: Props) => Child,
): (props: Props & Json<Props>) => Child {
  const id = ++count;
  return (props) => {
    const layout = useLayout();
    const render = () => renderForVisitors(layout, <Component {...props} />);
    return raw(layout.fragments?.text([id, layout.fragmentScope, props], render) ?? render());
  };
}

/** The HTML of an element as it is for all who have the same `fragmentScope`. */
export const renderForVisitors = (layout: LayoutData, element: JSX.Element): string =>
  String(<LayoutContext.Provider value={toVisitorLayout(layout)}>{element}</LayoutContext.Provider>);

const toVisitorLayout = ({
  links,
  site,
  language,
  timeZone,
  moderators,
  canSignUp,
}: LayoutData): LayoutData => ({
  links,
  counts: {},
  listLinks: [],
  personalParts: [],
  viewer: anonymous,
  site,
  language,
  timeZone,
  moderators,
  canSignUp,
});
