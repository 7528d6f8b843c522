import { all } from './dom.ts'

const selectors = {
  alert: '[role=alert]',
  alertdialog: '[role=alertdialog]',
  article: 'article,[role=article]',
  banner: 'header,[role=banner]',
  button: 'button,[role=button]',
  cell: 'td,[role=cell],[role=gridcell]',
  checkbox: 'input[type=checkbox],[role=checkbox]',
  columnheader: 'th,[role=columnheader]',
  combobox: 'select,[role=combobox]',
  dialog: '[role=dialog]',
  form: 'form,[role=form]',
  group: 'fieldset,[role=group]',
  heading: 'h1,h2,h3,h4,h5,h6,[role=heading]',
  image: 'img,[role=img]',
  link: 'a[href],[role=link]',
  list: 'ul,ol,[role=list]',
  listbox: '[role=listbox]',
  listitem: 'li,[role=listitem]',
  menuitem: '[role=menuitem]',
  navigation: 'nav,[role=navigation]',
  option: 'option,[role=option]',
  progressbar: '[role=progressbar]',
  radio: 'input[type=radio],[role=radio]',
  region: 'section,aside,[role=region]',
  row: 'tr,[role=row]',
  search: '[role=search]',
  status: '[role=status]',
  tab: '[role=tab]',
  table: 'table,[role=table],[role=grid]',
  tabpanel: '[role=tabpanel]',
  term: 'dt,[role=term]',
  definition: 'dd,[role=definition]',
  textbox: 'input:not([type=checkbox],[type=radio],[type=file]),textarea',
  timer: '[role=timer]',
  toolbar: '[role=toolbar]',
} as const
export type Role = keyof typeof selectors
export type Name = string | RegExp

/** A place on the page, looked up each time it is read. `what` names it in errors. */
export interface Target<E extends HTMLElement = HTMLElement> {
  readonly what: string
  all(): E[]
}

/** Elements of a role, by accessible name where one is given, inside `scope` where one is given. */
export function byRole<E extends HTMLElement = HTMLElement>(
  role: Role,
  name?: Name,
  scope?: Target,
): Target<E> {
  return {
    what: `${role}${name === undefined ? '' : ` ${String(name)}`}${scope === undefined ? '' : ` in ${scope.what}`}`,
    all: () => within<E>(scope, selectors[role]).filter((each) => isNamed(each, name)),
  }
}

/** For what the page gives no role or label. */
export function bySelector<E extends HTMLElement = HTMLElement>(
  selector: string,
  scope?: Target,
): Target<E> {
  return { what: selector, all: () => within<E>(scope, selector) }
}

/** The first of these that is on the page. */
export function either(...targets: readonly Target[]): Target {
  return {
    what: targets.map(({ what }) => what).join(' or '),
    all: () => targets.map((target) => target.all()).find((found) => found.length > 0) ?? [],
  }
}

/** A place that depends on what the page shows when it is looked up. */
export function later(find: () => Target): Target {
  return { what: 'a place found later', all: () => find().all() }
}

/** One of several by its place, counted from 0 (negative: from the end). */
export function nth<E extends HTMLElement>(target: Target<E>, index: number): Target<E> {
  return {
    what: `${target.what} number ${index}`,
    all: () => {
      const found = target.all().at(index)
      return found === undefined ? [] : [found]
    },
  }
}

/** Those of a target that contain something, such as the row with a certain text. */
export function having<E extends HTMLElement>(
  target: Target<E>,
  test: (element: E) => boolean,
): Target<E> {
  return { what: `some ${target.what}`, all: () => target.all().filter(test) }
}

type Find = (name?: Name, scope?: Target) => Target
export const button: Find = (name, scope) => byRole('button', name, scope)
export const dialog: Find = (name, scope) => byRole('dialog', name, scope)
export const question: Find = (name, scope) => byRole('alertdialog', name, scope)
export const heading: Find = (name, scope) => byRole('heading', name, scope)
export const region: Find = (name, scope) => byRole('region', name, scope)
export const field = (name?: Name, scope?: Target): Target<HTMLInputElement> =>
  byRole('textbox', name, scope)
export const select = (name?: Name, scope?: Target): Target<HTMLSelectElement> =>
  byRole('combobox', name, scope)
export const choice = (name?: Name, scope?: Target): Target<HTMLInputElement> =>
  byRole('radio', name, scope)

/** What a screen reader says of an element. */
export function nameOf(element: Element): string {
  const label = element.getAttribute('aria-label')
  if (label !== null) return label.trim()
  const by = element.getAttribute('aria-labelledby')
  if (by !== null)
    return by
      .split(' ')
      .map((id) => textIn(document.getElementById(id)))
      .join(' ')
  if (element instanceof HTMLImageElement) return element.alt
  if (!element.matches('input,select,textarea')) return textIn(element)
  const own =
    element.closest('label') ??
    (element.id === '' ? null : document.querySelector(`label[for="${element.id}"]`))
  return own === null ? '' : labelIn(own)
}

function isNamed(element: Element, name: Name | undefined): boolean {
  if (name === undefined) return true
  const own = nameOf(element)
  return typeof name === 'string' ? own === name : name.test(own)
}

function within<E extends HTMLElement>(scope: Target | undefined, selector: string): E[] {
  return scope === undefined
    ? all<E>(selector)
    : scope.all().flatMap((each) => all<E>(selector, each))
}

function textIn(element: Element | null): string {
  return element?.textContent?.trim() ?? ''
}

/** A label's own words, without those of the control that it surrounds. */
function labelIn(label: Element): string {
  if (label.querySelector('select,textarea') === null) return textIn(label)
  return [...label.childNodes]
    .filter((node) => !(node instanceof Element && node.matches('select,textarea')))
    .filter((node) => !(node instanceof Element && node.querySelector('select,textarea') !== null))
    .map((node) => node.textContent?.trim() ?? '')
    .join('')
}
