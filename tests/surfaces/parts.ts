import type { Locale } from '@jiaowu/api/locale'
import type { Driver, Left } from '@jiaowu/path-tests'
import type { AnyMachineSnapshot } from 'xstate'
import type { Spec } from '../machines/spec.ts'

/** One concern of a machine on a surface: the model as seen there, and a fresh driver per path. */
export interface SurfacePart {
  readonly spec: Spec<unknown>
  drive(): Driver<unknown> | Promise<Driver<unknown>>
  /** Sentences that the surface shows, in a language, where its table lists them. */
  listSays?(snapshot: AnyMachineSnapshot, left: Left, locale: Locale): readonly string[]
}
export type SurfaceParts = Readonly<Record<string, SurfacePart>>
/** The screens of every machine; a machine without a line does not compile. */
export type Loads<Name extends string> = Readonly<
  Record<Name, (() => Promise<SurfaceParts>) | null>
>

export function partsFrom(
  parts: object,
  make: (spec: Spec<never>, name: string) => { readonly spec: unknown; drive(): unknown },
): SurfaceParts {
  return Object.fromEntries(
    Object.entries(parts as Readonly<Record<string, Spec<never>>>).map(([name, spec]) => [
      name,
      make(spec, name) as SurfacePart,
    ]),
  )
}

export function mapParts<In, Out>(
  parts: Readonly<Record<string, In>>,
  change: (part: In) => Out,
): Readonly<Record<string, Out>> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]))
}
