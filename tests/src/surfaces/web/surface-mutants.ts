import { explore, journeysBy, type MakeDriver, type Path, runPath, type Spec } from '../../model/index.ts'
import { unexcused, type Excuses } from '../../model/excuses.ts'

/** A screen broken on purpose. `apply` breaks what is drawn, again after every step; `stop` takes listeners away. */
export type Fault = () => { apply(): void; stop(): void }

/** What a finger can use. */
const controls = 'button,a[href],a[role],input,select,textarea,[role=tab],[role=option],[role=combobox]'
const events = ['click', 'input', 'change', 'submit', 'focusout', 'contextmenu', 'keydown'] as const
const own = (element: Element): string => [...element.classList].find((name) => name.startsWith('jw-')) ?? ''
/** Where it stands: the nearest part of ours, or the question it belongs to. */
const placeOf = (element: Element): string => {
  const place = element.closest('.bp6-alert,.jw-stale,.jw-form__foot,.jw-form__bar,.jw-row-actions,[class^="jw-"],[class*=" jw-"]')
  return place === null ? '' : place.matches('.bp6-alert') ? 'question' : own(place)
}
const words = (text: string | null | undefined): string => (text ?? '').replaceAll(/\d+/g, '0').trim()
const plainId = (id: string): string => id.replace(/^.*-(?=[a-z]+$)/, '')
const nameOf = (control: Element): string => words(control.getAttribute('aria-label') ?? control.textContent) || plainId(control.id) || control.getAttribute('type') || ''
const controlId = (control: Element): string => `${placeOf(control)} ${control.tagName.toLowerCase()} ${nameOf(control)}`.trim()
const textsIn = (root: ParentNode): Text[] => {
  const walker = document.createTreeWalker(root as Node, 4)
  const found: Text[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) if (words(node.textContent) !== '') found.push(node as Text)
  return found
}
/** A sentence by where it stands; the label of a control by its control. */
const textId = (text: Text): string | null => {
  const element = text.parentElement
  if (element === null || element.closest('style,script') !== null) return null
  const control = element.closest(controls)
  return control === null ? `${placeOf(element)} ${element.tagName.toLowerCase()} text` : `${controlId(control)} label`
}

const hidden = (id: string): Fault => () => ({
  apply: () => { for (const control of document.querySelectorAll(controls)) control.toggleAttribute('data-hidden-by-mutant', controlId(control) === id) },
  stop: () => {},
})
const deaf = (id: string): Fault => () => {
  const swallow = (event: Event) => { const control = (event.target as Element | null)?.closest?.(controls); if (control !== null && control !== undefined && controlId(control) === id) { event.stopImmediatePropagation(); event.preventDefault() } }
  for (const type of events) document.addEventListener(type, swallow, true)
  return { apply: () => {}, stop: () => { for (const type of events) document.removeEventListener(type, swallow, true) } }
}
const altered = (id: string): Fault => () => {
  const done = new WeakMap<Text, string>()
  return { apply: () => { for (const text of textsIn(document.body)) if (done.get(text) !== text.data && textId(text) === id) { text.data += ' ✗'; done.set(text, text.data) } }, stop: () => {} }
}
const alwaysOn = (id: string): Fault => () => ({ apply: () => { for (const control of document.querySelectorAll(`${controls.split(',').map((each) => `${each}:disabled`).join()}`)) if (controlId(control) === id) { control.removeAttribute('disabled'); control.classList.remove('bp6-disabled') } }, stop: () => {} })

interface Sighting { readonly path: Path; readonly at: number }
type Sightings = Map<string, { readonly make: (id: string) => Fault; readonly id: string; readonly seen: Sighting[] }>

/** What a walk shows, and when it is first there. */
const survey = (sightings: Sightings, path: Path, places: RegExp): Fault => () => {
  let at = 0
  const noticed = new Set<string>()
  const note = (kind: string, id: string | null, make: (id: string) => Fault) => {
    const key = `${kind}: ${id ?? ''}`
    if (id === null || noticed.has(key) || !places.test(id)) return
    noticed.add(key)
    const known = sightings.get(key) ?? { make, id, seen: [] }
    known.seen.push({ path, at })
    sightings.set(key, known)
  }
  return {
    apply: () => {
      at += 1
      for (const control of document.querySelectorAll(controls)) {
        const id = controlId(control)
        note('hidden', id, hidden)
        note('deaf', id, deaf)
        if (control.matches(':disabled')) note('never disabled', id, alwaysOn)
      }
      for (const text of textsIn(document.body)) note('wrong text', textId(text), altered)
    },
    stop: () => {},
  }
}

/** What is argued for is tried on a few paths only. */
const mostPaths = 2

export interface SurfaceMutation { readonly all: number; readonly survivors: readonly string[] }

/**
 * Breaks the screen in every way it can be broken at one place: each control once hidden, once deaf, once never disabled, each text once
 * wrong; and says which of these no path notices. What can be broken is found by looking while the paths are walked, and is within `places`.
 */
export const surfaceMutants = async <Seen>(specs: readonly Spec<Seen>[], makeDriver: (fault: Fault) => ReturnType<MakeDriver<Seen>>, { places = /./, survivors: argued = {} }: { readonly places?: RegExp; readonly survivors?: Excuses } = {}): Promise<SurfaceMutation> => {
  const sightings: Sightings = new Map()
  const specOf = new Map<Path, Spec<Seen>>()
  for (const spec of specs) {
    const graph = explore(spec)
    // Each transition by each sample, from wherever the screen is another (that is what tags are for), and where it changes nothing too.
    const tagsOf = (node: number) => [...(graph.nodes[node]?.world.snapshot.tags ?? [])].sort().join()
    for (const path of journeysBy(graph, ({ step, taken, from, to }) => `${step.label} ${taken.join(' ')} ${tagsOf(from)} ${from === to ? 'stays' : ''}`).paths) {
      specOf.set(path, spec)
      await runPath(spec, path, await makeDriver(survey(sightings, path, places)))
    }
  }
  const survivors: string[] = []
  for (const [key, { make, id, seen }] of sightings) {
    const isNoticed = async ({ path }: Sighting) => { const spec = specOf.get(path); return spec !== undefined && (await runPath(spec, path, await makeDriver(make(id)))).failure !== null }
    let noticed = false
    // Where it is there soonest it is noticed soonest.
    for (const sighting of [...seen].sort((a, b) => a.at - b.at).slice(0, headOf(key, argued) === undefined ? undefined : mostPaths)) { noticed = await isNoticed(sighting); if (noticed) break }
    if (!noticed) survivors.push(key)
  }
  return { all: sightings.size, survivors }
}

/** The argument for a survivor goes by the beginning of its name. */
const headOf = (key: string, argued: Excuses): string | undefined => Object.keys(argued).find((head) => key.replace(/^[^:]*: /, '').startsWith(head))
/** Survivors nobody has argued for. */
export const unargued = (survivors: readonly string[], argued: Excuses): string[] => unexcused([...new Set(survivors.map((each) => headOf(each, argued) ?? each))], argued)
