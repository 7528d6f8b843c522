// Documents that flows issue. The room of documents makes them; flows reach it by a port of the database, as they
// reach the queues of jobs.
import type { Kysely } from 'kysely'
import type { DocumentContent } from '../platform/database/tables/document-content.ts'
import type { Tables } from '../platform/database/tables/tables.ts'
import type { Services } from './context.ts'

/** A document of a case, with its words. */
export interface CasePaper {
  readonly tenant: string
  readonly caseId: string
  /** Code of the document in the flow. */
  readonly template: string
  readonly studentId: string | null
  readonly language: 'zh' | 'en'
  readonly title: string
  readonly paragraphs: readonly string[]
}

export interface Papers {
  /**
   * Fixes number, code and content of the document in the transaction, and answers the number.
   * @param drawable hashes of contents that were drawn on trial
   * @throws UncheckedPaper for another content
   */
  readonly claim: (
    trx: Kysely<Tables>,
    paper: CasePaper,
    drawable: ReadonlySet<string>,
  ) => Promise<string>
  /** Draws on trial. Not to be called inside `transact`. @throws Refusal 422 naming what cannot be drawn, 503 */
  readonly assertDrawable: (content: DocumentContent) => Promise<void>
}

/** Rolls a transaction back whose document must be drawn on trial first. */
export class UncheckedPaper extends Error {
  readonly content: DocumentContent
  readonly hash: string
  constructor(content: DocumentContent, hash: string) {
    super('the document was not drawn on trial')
    this.content = content
    this.hash = hash
  }
}

const ports = new WeakMap<Services['database'], Papers>()

export function addPapers({ database }: Pick<Services, 'database'>, papers: Papers): void {
  ports.set(database, papers)
}

export function findPapers({ database }: Pick<Services, 'database'>): Papers {
  const found = ports.get(database)
  if (found === undefined) throw new Error('this process makes no documents')
  return found
}

/** Runs the work, and again after each document that it must see drawn first. */
export async function withDrawnPapers<T>(
  services: Pick<Services, 'database'>,
  drawable: Set<string>,
  work: () => Promise<T>,
): Promise<T> {
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof UncheckedPaper) || drawable.has(error.hash)) throw error
      await findPapers(services).assertDrawable(error.content)
      drawable.add(error.hash)
    }
}
