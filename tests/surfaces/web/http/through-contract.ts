import { contractHandlers, mockFetch } from '@jiaowu/mock'

/** The answer of a call; it must fit the answer schema of the contract. */
export class Data {
  readonly data: unknown

  constructor(data: unknown) {
    this.data = data
  }
}

type OnSent = ((bytes: number) => void) | null
/** Answers a request; rejects when the network fails or the caller gives up. */
type Answer = (
  url: string,
  init: RequestInit | undefined,
  onSent: OnSent,
) => Promise<Data | Response>

/** Names a request to its handler, which gets a copy of it. */
const numberHeader = 'x-request-number'

/**
 * A `fetch` through the handlers of the contract. The client takes what breaks the contract for a
 * failure of the network; `assertKept` throws it.
 */
export function throughContract(answer: Answer) {
  const waiting = new Map<string, Promise<Data | Response>>()
  const taken = new Set<string>()
  /** Requests whose answer is known and has not reached the caller, which takes a browser some time. */
  const onTheWay = new Set<Promise<void>>()
  let breach: Error | null = null
  const fetch = mockFetch(
    contractHandlers({}, '*/api', async (_name, { request }) => {
      const number = request.headers.get(numberHeader) ?? ''
      taken.add(number)
      const reply = await waiting.get(number)
      return reply instanceof Data ? reply.data : reply
    }),
  )
  let count = 0
  return {
    fetch: async (url: string, init?: RequestInit, onSent: OnSent = null): Promise<Response> => {
      const number = String((count += 1))
      const answered = answer(url, init, onSent)
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
      let hasFailed = false
      const leave = () => void onTheWay.add(arrived)
      answered.then(leave, () => {
        hasFailed = true
        leave()
      })
      waiting.set(number, answered)
      const headers = new Headers(init?.headers)
      headers.set(numberHeader, number)
      try {
        // The caller's signal ends `answered`.
        const response = await fetch(url, { ...init, headers, signal: null })
        if (!taken.has(number)) throw new Error(await refusedText(url, init, response))
        return response
      } catch (error) {
        if (!hasFailed) breach ??= error as Error
        throw error
      } finally {
        waiting.delete(number)
        taken.delete(number)
        onTheWay.delete(arrived)
        arrive()
      }
    },
    isAnswering: () => onTheWay.size > 0,
    /** Ends when every answer that is known has reached its caller. */
    answersArrive: async () => {
      while (onTheWay.size > 0) await Promise.all(onTheWay)
    },
    /** @throws Error for the first request or answer that the contract does not allow */
    assertKept: () => {
      if (breach !== null) throw breach
    },
  }
}

async function refusedText(url: string, init: RequestInit | undefined, response: Response) {
  return `the request ${init?.method ?? 'GET'} ${url} breaks the contract: ${await response.text()}`
}
