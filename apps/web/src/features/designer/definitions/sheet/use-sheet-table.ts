import type { EntityConfig } from '@jiaowu/api/entity/config'
import {
  planSheet,
  type ProposedColumn,
  type SheetProposal,
} from '@jiaowu/api/entity/definition/sheet'
import { type Problem, toProblem } from '@jiaowu/api/problem'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../../../app/api-context.ts'
import { keepOpenJob } from '../../../transfer/use-transfer.ts'

type Step = 'choosing' | 'reading' | 'planning' | 'making'

export interface MadeTable {
  readonly table: string
  readonly name: string
  /** Null where the author may not add rows. */
  readonly config: EntityConfig | null
  /** The sheets of the book that are not brought in yet. */
  readonly next: NextSheet | null
}

/** A book with more sheets: the one to read, and those after it. */
export interface NextSheet {
  readonly file: File
  readonly sheet: string
  readonly more: readonly string[]
}

/** The file, what is proposed of it, the changes to the proposal, and the table that is made of it. */
export function useSheetTable(onMade: (made: MadeTable) => void, next: NextSheet | null) {
  const { api } = useApi()
  const [step, setStep] = useState<Step>('choosing')
  const [file, setFile] = useState<File | null>(null)
  const [plan, setPlan] = useState<SheetProposal | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const request = useRef<AbortController | null>(null)
  useEffect(() => () => request.current?.abort(), [])

  const read = (chosen: File, asked: { sheet?: string; heading?: number } = {}) => {
    request.current?.abort()
    const own = new AbortController()
    request.current = own
    setFile(chosen)
    setProblem(null)
    setStep('reading')
    api.design.proposeSheet({ body: { file: chosen, ...asked }, signal: own.signal }).then(
      (found) => {
        setPlan(found)
        setStep('planning')
      },
      (error: unknown) => {
        if (own.signal.aborted) return
        setProblem(toProblem(error))
        setStep(plan === null ? 'choosing' : 'planning')
      },
    )
  }
  const begin = useRef(() => {
    if (next !== null) read(next.file, { sheet: next.sheet })
  })
  useEffect(() => begin.current(), [])
  const make = async () => {
    if (file === null || plan === null) return
    setStep('making')
    setProblem(null)
    try {
      const body = { file, plan: JSON.stringify(planSheet(plan)) }
      const { tag, name, table, jobId } = await api.design.adoptSheet({ body })
      if (jobId !== null) keepOpenJob(tag, jobId)
      const config = jobId === null ? null : await api.entityData.config({ params: { tag } })
      const [sheet, ...more] = (next?.more ?? plan.sheets).filter((each) => each !== plan.sheet)
      onMade({ table, name, config, next: sheet === undefined ? null : { file, sheet, more } })
    } catch (error) {
      setProblem(toProblem(error))
      setStep('planning')
    }
  }
  return {
    step,
    file,
    plan,
    problem,
    read,
    make,
    forget: () => {
      setPlan(null)
      setFile(null)
      setProblem(null)
      setStep('choosing')
    },
    change: (part: Partial<SheetProposal>) =>
      setPlan((before) => (before === null ? null : { ...before, ...part })),
    changeColumn: (column: number, part: Partial<ProposedColumn>) =>
      setPlan((before) =>
        before === null
          ? null
          : {
              ...before,
              columns: before.columns.map((each) =>
                each.column === column ? { ...each, ...part } : each,
              ),
            },
      ),
  }
}
export type SheetTable = ReturnType<typeof useSheetTable>
