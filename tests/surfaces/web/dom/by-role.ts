import { joinTexts, zh } from '../../sentences.ts'
import { Absent, findAll, enter, leave, clickElement as pressElement, usable } from './dom.ts'
import type { Gesture } from './gestures.ts'
import { createRead, type Read, textOfElement } from './reads.ts'

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
  main: 'main,[role=main]',
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

/**
 * A place on the page, looked up each time it is read or used: by role and accessible name inside
 * another (`dialog.button('确认')`), by what is read there (`alert.text`), and by what a user does there
 * (`button.press`).
 */
export class Target<E extends HTMLElement = HTMLElement> {
  /** Names it in errors. */
  readonly what: string
  readonly all: () => E[]

  constructor(what: string, all: () => E[]) {
    this.what = what
    this.all = all
  }

  role<R extends HTMLElement = HTMLElement>(role: Role, name?: Name): Target<R> {
    return new Target(
      `${role}${name === undefined ? '' : ` ${String(name)}`} in ${this.what}`,
      () => this.inside<R>(selectors[role]).filter((each) => isNamed(each, name)),
    )
  }

  /** For what the page gives no role or label. */
  css<R extends HTMLElement = HTMLElement>(selector: string): Target<R> {
    return new Target(`${selector} in ${this.what}`, () => this.inside<R>(selector))
  }

  button(name?: Name): Target<HTMLButtonElement> {
    return this.role('button', name)
  }

  dialog(name?: Name): Target {
    return this.role('dialog', name)
  }

  get question(): Target {
    return this.role('alertdialog')
  }

  heading(name?: Name): Target {
    return this.role('heading', name)
  }

  region(name?: Name): Target {
    return this.role('region', name)
  }

  get alert(): Target {
    return this.role('alert')
  }

  field(name?: Name): Target<HTMLInputElement> {
    return this.role('textbox', name)
  }

  select(name?: Name): Target<HTMLSelectElement> {
    return this.role('combobox', name)
  }

  choice(name?: Name): Target<HTMLInputElement> {
    return this.role('radio', name)
  }

  checkbox(name?: Name): Target<HTMLInputElement> {
    return this.role('checkbox', name)
  }

  /** Finds the elements for which the test holds, such as the row with a certain text. */
  where(test: (element: E) => boolean): Target<E> {
    return new Target(`some ${this.what}`, () => this.all().filter(test))
  }

  /** Finds the boxes and choices that are on. */
  get ticked(): Target<E> {
    return this.where((each) => 'checked' in each && each.checked === true)
  }

  /** None of them where the condition does not hold, such as what a dialog covers. */
  provided(holds: () => boolean): Target<E> {
    return this.where(() => holds())
  }

  /** One of several by its place, counted from 0 (negative: from the end). */
  nth(index: number): Target<E> {
    return new Target(`${this.what} number ${index}`, () => {
      const found = this.all().at(index)
      return found === undefined ? [] : [found]
    })
  }

  /** Finds the elements that a user can operate now. */
  get reachable(): Target<E> {
    return this.where(isReachable)
  }

  /** Finds the elements whose text can be changed now. */
  get editable(): Target<E> {
    return this.where((each) => !each.hasAttribute('readonly') && !each.hasAttribute('disabled'))
  }

  get first(): E | undefined {
    return this.all()[0]
  }

  /** @throws Absent when it is not on the page */
  get needed(): E {
    const { first } = this
    if (first === undefined) throw new Absent(`${this.what} is not on the page`)
    return first
  }

  /** The text of the first; empty when there is none. */
  get text(): Read<string> {
    return createRead(() => textOfElement(this.first))
  }

  /** The texts of all, without empty ones. */
  get texts(): Read<string> {
    return createRead(() => joinTexts(...this.all().map(textOfElement)))
  }

  /** The accessible names of all. */
  get names(): Read<string> {
    return this.each(readAccessibleName)
  }

  /** The value of the first field; empty when there is none. */
  get value(): Read<string> {
    return createRead(() => (this.first as { readonly value?: string } | undefined)?.value ?? '')
  }

  /** Whether the first box is ticked. */
  get checked(): Read<boolean> {
    return createRead(
      () => (this.first as { readonly checked?: boolean } | undefined)?.checked === true,
    )
  }

  get isShown(): Read<boolean> {
    return createRead(() => this.first !== undefined)
  }

  get isAbsent(): Read<boolean> {
    return createRead(() => this.first === undefined)
  }

  attribute(name: string): Read<string> {
    return createRead(() => this.first?.getAttribute(name) ?? '')
  }

  /** Reads all elements, one by one. */
  each(readOne: (element: E) => unknown): Read<string> {
    return createRead(() => this.all().map(readOne).join())
  }

  get press(): Gesture {
    return { run: () => pressElement(this.needed), isOffered: this.isOffered }
  }

  /** Presses it, and goes on where the screen asks whether to drop unsaved input. */
  get pressAndDrop(): Gesture {
    const ask = page.question.where(({ textContent }) =>
      textContent.includes(zh('common.closeUnsaved')),
    )
    const drop = () => {
      if (ask.first !== undefined) pressElement(ask.button(zh('common.ok')).needed)
    }
    return {
      run: () => {
        pressElement(this.needed)
        return drop
      },
      isOffered: this.isOffered,
    }
  }

  fill(value: string): Gesture {
    return {
      run: () => enter(this.needed as HTMLElement as HTMLInputElement, value),
      isOffered: this.isOffered,
    }
  }

  /** The focus leaves it. */
  get blur(): Gesture {
    return { run: () => leave(this.needed) }
  }

  private readonly isOffered = () => this.all().some(isReachable)

  private inside<R extends HTMLElement>(selector: string): R[] {
    return this.all().flatMap((each) => findAll<R>(selector, each))
  }
}

export const page = new Target('the page', () => [document.body])

/** For tests of single parts, which need no more than these two. */
export function byRole<E extends HTMLElement = HTMLElement>(role: Role, name?: Name): Target<E> {
  return page.role(role, name)
}

export function findPageField(name: Name): Target<HTMLInputElement> {
  return page.field(name)
}

/** The first of these that is on the page. */
export function findFirst(...targets: readonly Target[]): Target {
  return new Target(
    targets.map(({ what }) => what).join(' or '),
    () => targets.map((target) => target.all()).find((found) => found.length > 0) ?? [],
  )
}

/** A place that depends on what the page shows when it is looked up. */
export function findLater(find: () => Target): Target {
  return new Target('a place found later', () => find().all())
}

/** Which of these a user can operate now. */
export function operable(...targets: readonly Target[]): Read<string> {
  return createRead(() => targets.map(({ reachable }) => reachable.isShown()).join())
}

/** Buttons that wait for an answer. */
export const loadingButtons = page
  .button()
  .where((each) => each.querySelector('[role=progressbar]') !== null)

/** A question takes the input of the page behind it. */
function isReachable(element: HTMLElement): boolean {
  const asked = document.querySelector('[role=alertdialog]')
  return usable(element) && (asked === null || asked.contains(element))
}

/** Reads the name that a screen reader gives to an element. */
export function readAccessibleName(element: Element): string {
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
  const own = readAccessibleName(element)
  return typeof name === 'string' ? own === name : name.test(own)
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
