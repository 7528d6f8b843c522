import type * as v from 'valibot'
import { limits } from './limits.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/**
 * The callers that are let in: everyone, every signed-in user, staff or students only, or the
 * holders of a permission (staff); `{name}` in a permission is a path parameter. Required, so that
 * no route exists without it (docs/rules/security.md#c6).
 */
type Access = 'public' | 'signed' | 'staff' | 'student' | `${string}:${string}`

type Schema = v.GenericSchema<unknown, unknown>
/** `values`: JSON, or a form with the same names (docs/spec/1-entity-console.md §7). */
type BodyKind = 'json' | 'form' | 'multipart' | 'values'
/**
 * When a server that remembers the caller asks the database whether they still may call
 * (docs/rules/security.md#s4): `before` the call, `within` the statements that the call makes anyway,
 * `beside` them by a statement of its own, or with the last statement of its transaction, `atCommit`.
 * Only `before` costs a round trip of its own.
 */
type ProvenWhen = 'before' | 'within' | 'beside' | 'atCommit'

/** One call of the contract: input, answer and access. */
export interface Endpoint<
  Path extends string = string,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Answer = unknown,
> {
  readonly method: Method
  readonly path: Path
  readonly access: Access
  readonly query: Query
  readonly body: Body
  readonly bodyKind: BodyKind
  /** `json`: the answer is `data` of the envelope. `file`: bytes with a file name. */
  readonly reply: 'json' | 'file'
  /** Used for documentation (`/api/openapi.json`) and in tests; null for files. */
  readonly answer: v.GenericSchema<unknown, Answer> | null
  /**
   * Repeats the answer's keys at the top level of the reply, where OAuth clients expect them (RFC
   * 6749).
   */
  readonly flat: boolean
  /**
   * Matches only requests without an Authorization header; others reach the other call with the
   * same path.
   */
  readonly anonymous: boolean
  /**
   * Creates or starts something and takes an `Idempotency-Key`
   * (docs/rules/contract.md#creates). Every POST has to say whether it does.
   */
  readonly keyed: boolean
  /** Most bytes of a JSON body. */
  readonly bodyBytes: number
  readonly timeout: number
  /**
   * Needs a fresh proof of who the caller is (docs/rules/security.md#s6): always, never, or depending on what
   * is sent, which the handler decides.
   */
  readonly fresh: boolean | 'depends'
  readonly proven: ProvenWhen
}

/**
 * A file reply whose stream has not been read yet. `type` is the media type, `rows` the number of
 * rows the server expects to send.
 */
export interface FileReply {
  readonly name: string
  readonly type: string
  readonly rows: number | null
  readonly stream: ReadableStream<Uint8Array>
}

type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never
type ParamsOf<P extends string> = [ParamNames<P>] extends [never]
  ? unknown
  : { readonly params: Readonly<Record<ParamNames<P>, string>> }
type Sent<S> = S extends Schema ? v.InferInput<S> : never
type Read<S> = S extends Schema ? v.InferOutput<S> : undefined
type QueryOf<Q> = Q extends Schema
  ? Record<never, never> extends Sent<Q>
    ? { readonly query?: Sent<Q> }
    : { readonly query: Sent<Q> }
  : unknown
type BodyOf<B> = B extends Schema ? { readonly body: Sent<B> } : unknown

/**
 * Input that a caller passes. Multipart bodies are plain objects too; files in them are `Blob`s.
 */
type CallInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, unknown>
    ? ParamsOf<P> &
        QueryOf<Q> &
        BodyOf<B> & {
          readonly signal?: AbortSignal
          readonly headers?: Readonly<Record<string, string>>
          /** Reports the bytes of the body sent so far, on surfaces that can tell. */
          readonly onSent?: (bytes: number) => void
        }
    : never
type AnswerOf<E> = E extends { readonly reply: 'file' }
  ? FileReply
  : E extends Endpoint<string, infer _Q, infer _B, infer A>
    ? A
    : never

type Group = Readonly<Record<string, Endpoint>>
export type Contract = Readonly<Record<string, Group>>

/** The typed client of a contract: `api.entityData.page({ params, body })`. */
export type Client<C extends Contract> = {
  readonly [G in keyof C]: {
    readonly [E in keyof C[G]]: (input: CallInput<C[G][E]>) => Promise<AnswerOf<C[G][E]>>
  }
}

/** Input of a handler of the server, parsed and validated. */
export interface Received<E> {
  readonly params: E extends Endpoint<infer P, infer _Q, infer _B, unknown>
    ? Readonly<Record<ParamNames<P>, string>>
    : never
  readonly query: E extends Endpoint<string, infer Q, infer _B, unknown> ? Read<Q> : never
  readonly body: E extends Endpoint<string, infer _Q, infer B, unknown> ? Read<B> : never
}
/** File calls answer a `Response`, others a plain value. */
export type Handled<E> = E extends { readonly reply: 'file' } ? Response : AnswerOf<E>
/** All handlers of a contract; a missing one is a type error. */
export type Handlers<C extends Contract, Context> = {
  readonly [G in keyof C]: {
    readonly [E in keyof C[G]]: (
      input: Received<C[G][E]>,
      context: Context,
    ) => Promise<Handled<C[G][E]>> | Handled<C[G][E]>
  }
}

type Repeatable =
  | { readonly method: 'POST'; readonly keyed: boolean }
  | { readonly method: Exclude<Method, 'POST'>; readonly keyed?: undefined }

type Common<
  P extends string,
  Q extends Schema | undefined,
  B extends Schema | undefined,
> = Repeatable & Described<P, Q, B>

interface Described<P extends string, Q extends Schema | undefined, B extends Schema | undefined> {
  readonly path: P
  readonly access: Access
  readonly query?: Q
  readonly body?: B
  readonly bodyKind?: BodyKind
  readonly flat?: boolean
  readonly anonymous?: boolean
  readonly bodyBytes?: number
  readonly timeout?: number
  readonly fresh?: boolean | 'depends'
  readonly proven?: ProvenWhen
}
const requestTimeout = 20_000 // docs/spec/1-entity-console.md §9

/** Declares a call that answers JSON. */
export function endpoint<
  const P extends string,
  A,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(
  e: Common<P, Q, B> & { readonly answer: v.GenericSchema<unknown, A> },
): Endpoint<P, Q, B, A> & { readonly reply: 'json' } {
  return {
    method: e.method,
    path: e.path,
    access: e.access,
    query: e.query as Q,
    body: e.body as B,
    bodyKind: e.bodyKind ?? 'json',
    reply: 'json',
    answer: e.answer,
    flat: e.flat ?? false,
    anonymous: e.anonymous ?? false,
    keyed: e.keyed ?? false,
    bodyBytes: e.bodyBytes ?? limits.jsonBytes,
    timeout: e.timeout ?? requestTimeout,
    fresh: e.fresh ?? false,
    proven: e.proven ?? 'before',
  }
}
/** Declares a call that answers a file. */
export function fileEndpoint<
  const P extends string,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(e: Common<P, Q, B>): Endpoint<P, Q, B, FileReply> & { readonly reply: 'file' } {
  return {
    method: e.method,
    path: e.path,
    access: e.access,
    query: e.query as Q,
    body: e.body as B,
    bodyKind: e.bodyKind ?? 'json',
    reply: 'file',
    answer: null,
    flat: false,
    anonymous: e.anonymous ?? false,
    keyed: e.keyed ?? false,
    bodyBytes: e.bodyBytes ?? limits.jsonBytes,
    timeout: e.timeout ?? 300_000,
    fresh: e.fresh ?? false,
    proven: e.proven ?? 'before',
  }
}
