import { parseJson } from '@jiaowu/api/exact-json'
import type { Problem } from '@jiaowu/api/problem'
import { type ActionResult, resourceMachine } from '@jiaowu/machines/resource/machine'
import { resourceActors } from '@jiaowu/machines/resource/ports'
import { resourceView } from '@jiaowu/machines/resource/view'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type ActorRefFrom, createActor } from 'xstate'
import { useView } from '../../app/use-view.ts'
import { type Question, useNotice } from '../../app/notice-context.ts'

/** Actions by name; each is a call to the server. */
export type ActionTable = Readonly<Record<string, (input: never) => Promise<unknown>>>
type InputOf<F> = F extends (...input: infer I extends readonly unknown[]) => unknown ? I : never
type OutputOf<F> = F extends (input: never) => Promise<infer O> ? O : never

export interface ResourceOptions<Query, Data, Actions extends ActionTable> {
  /**
   * The query that is read; null: nothing. Another value is loaded when it arrives; `show` loads
   * one from the page itself.
   */
  readonly query: Query | null
  readonly load: (query: Query, signal: AbortSignal) => Promise<Data>
  readonly actions?: Actions
  /** The question that the user confirms before an action runs; null: it runs at once. */
  readonly confirm?: {
    readonly [K in keyof Actions]?: (...input: InputOf<Actions[K]>) => Question | null
  }
  readonly onDone?: { readonly [K in keyof Actions]?: (output: OutputOf<Actions[K]>) => void }
  readonly onFailed?: { readonly [K in keyof Actions]?: (problem: Problem) => void }
}
/** Data that a page may show. */
export interface Loaded<Data> {
  /** The last answer, also while another is loading; null before the first. */
  readonly data: Data | null
  /** Why loading failed. */
  readonly problem: Problem | null
  readonly isLoading: boolean
  /** Stable: may be listed as a dependency. */
  readonly reload: () => void
}
export interface Resource<Query, Data, Actions extends ActionTable> extends Loaded<Data> {
  readonly query: Query | null
  /** Loads another query; the last data stays until the answer arrives. */
  readonly show: (query: Query | null) => void
  readonly start: <K extends keyof Actions & string>(name: K, ...input: InputOf<Actions[K]>) => void
  /** Name of the action that runs. */
  readonly acting: (keyof Actions & string) | null
  readonly failureOf: (name: keyof Actions & string) => Problem | null
  readonly outputOf: <K extends keyof Actions & string>(name: K) => OutputOf<Actions[K]> | null
  /** Forgets how an action ended. */
  readonly dismiss: (name: keyof Actions & string) => void
}

/**
 * A page's data and actions on the resource machine. The callbacks of the last render are the ones
 * that are called. When the page is left, loading is aborted; an action under way ends first, so
 * that its outcome is still announced.
 */
export function useResource<
  Query,
  Data,
  Actions extends ActionTable = Readonly<Record<never, never>>,
>(options: ResourceOptions<Query, Data, Actions>): Resource<Query, Data, Actions> {
  const latest = useLatest(options as unknown as AnyOptions)
  const actor = useResourceActor(latest)
  const view = useView(actor, resourceView)
  useChangedQuery(actor, options.query)
  const { confirm } = useNotice()
  const { asking } = view
  useEffect(() => {
    if (asking === null) return
    const question = findQuestion(latest.current, asking.name, asking.input)
    void (question === null ? Promise.resolve(true) : confirm(question)).then((yes) => {
      if (actor.getSnapshot().status === 'active')
        actor.send({ type: yes ? 'action.confirm' : 'action.cancel' })
    })
  }, [actor, asking, confirm, latest])
  return {
    data: view.data as Data | null,
    problem: view.problem,
    isLoading: view.step === 'loading',
    query: view.query as Query | null,
    acting: view.acting?.name ?? null,
    reload: useCallback(() => actor.send({ type: 'resource.reload' }), [actor]),
    show: (query) => actor.send({ type: 'resource.load', query }),
    start: (name, ...input) =>
      actor.send({
        type: 'action.start',
        action: { name, input: input[0] },
        asks: findQuestion(latest.current, name, input[0]) !== null,
      }),
    failureOf: (name) => failureIn(view.results[name]),
    outputOf: (name) => outputIn(view.results[name]) as never,
    dismiss: (name) => actor.send({ type: 'action.dismiss', name }),
  }
}

/** One action without data of its own, such as the submit of a dialog. */
export function useAction<Input extends readonly unknown[], Output>(
  run: (...input: Input) => Promise<Output>,
  {
    onDone,
    onFailed,
  }: {
    readonly onDone?: (output: Output) => void
    readonly onFailed?: (problem: Problem) => void
  } = {},
): {
  readonly start: (...input: Input) => void
  readonly isActing: boolean
  readonly problem: Problem | null
  readonly output: Output | null
  readonly dismiss: () => void
} {
  const { start, acting, failureOf, outputOf, dismiss } = useResource({
    query: null,
    load: () => Promise.resolve(null),
    actions: { run: run as unknown as (input: never) => Promise<unknown> },
    onDone: { run: (output) => onDone?.(output as Output) },
    onFailed: { run: (problem) => onFailed?.(problem) },
  })
  return {
    start: (...input) => start('run', input[0] as never),
    isActing: acting !== null,
    problem: failureOf('run'),
    output: outputOf('run') as Output | null,
    dismiss: () => dismiss('run'),
  }
}

interface AnyOptions {
  readonly query: unknown
  readonly load: (query: unknown, signal: AbortSignal) => Promise<unknown>
  readonly actions?: Readonly<Record<string, (input: unknown) => Promise<unknown>>>
  readonly confirm?: Readonly<Record<string, ((input: unknown) => Question | null) | undefined>>
  readonly onDone?: Readonly<Record<string, ((output: unknown) => void) | undefined>>
  readonly onFailed?: Readonly<Record<string, ((problem: Problem) => void) | undefined>>
}
type ResourceActor = ActorRefFrom<typeof resourceMachine>

function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value)
  latest.current = value
  return latest
}

/**
 * The actor is started in an effect; StrictMode's second mount gets a fresh one, so that no hidden
 * actor makes calls.
 */
function useResourceActor(options: { readonly current: AnyOptions }): ResourceActor {
  const [actor, setActor] = useState(() => createResourceActor(options))
  useEffect(() => {
    if (actor.getSnapshot().status === 'stopped') {
      setActor(createResourceActor(options))
      return undefined
    }
    actor.start()
    return () => stopAfterAction(actor)
  }, [actor, options])
  return actor
}

/** Loads the query again when the caller passes another one. Queries are compared by their JSON. */
function useChangedQuery(actor: ResourceActor, query: unknown) {
  const key = JSON.stringify(query)
  const known = useRef(key)
  useEffect(() => {
    if (known.current === key) return
    known.current = key
    actor.send({ type: 'resource.load', query: parseJson(key) as unknown })
  }, [actor, key])
}

function createResourceActor(options: { readonly current: AnyOptions }) {
  const actor = createActor(
    resourceMachine.provide({
      actors: resourceActors({
        load: (query, signal) => options.current.load(query, signal),
        act: ({ name, input }) =>
          options.current.actions?.[name]?.(input) ??
          Promise.reject(new Error(`no action ${name}`)),
      }),
    }),
    { input: { query: options.current.query } },
  )
  actor.on('done', ({ name, output }) => options.current.onDone?.[name]?.(output))
  actor.on('failed', ({ name, problem }) => options.current.onFailed?.[name]?.(problem))
  return actor
}

function stopAfterAction(actor: ResourceActor) {
  if (!actor.getSnapshot().hasTag('acting')) {
    actor.stop()
    return
  }
  const watching = actor.subscribe((snapshot) => {
    if (snapshot.hasTag('acting')) return
    watching.unsubscribe()
    actor.stop() // its events were emitted before its snapshot
  })
}

function findQuestion({ confirm }: AnyOptions, name: string, input: unknown): Question | null {
  return confirm?.[name]?.(input) ?? null
}

function failureIn(result: ActionResult | undefined): Problem | null {
  return result?.ok === false ? result.problem : null
}

function outputIn(result: ActionResult | undefined): unknown {
  return result?.ok === true ? result.output : null
}
