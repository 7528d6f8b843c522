import type { TableOutcome } from '@jiaowu/api/entity/definition/table-change'
import { type Problem, toProblem } from '@jiaowu/api/problem'
import { useState } from 'react'

/** Asks for the preview of a change first, and makes it when the person says so. */
export function usePreview<Act, Outcome extends TableOutcome>(
  call: (act: Act, preview: boolean) => Promise<Outcome>,
  onMade: (outcome: Outcome, act: Act) => void,
) {
  const [asked, setAsked] = useState<{ readonly act: Act; readonly outcome: Outcome } | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async (act: Act, preview: boolean) => {
    setBusy(true)
    setProblem(null)
    try {
      const outcome = await call(act, preview)
      if (preview) setAsked({ act, outcome })
      else {
        setAsked(null)
        onMade(outcome, act)
      }
    } catch (error) {
      setProblem(toProblem(error))
    } finally {
      setBusy(false)
    }
  }
  return {
    asked,
    problem,
    isBusy,
    ask: (act: Act) => {
      void run(act, true)
    },
    make: (act: Act) => {
      void run(act, false)
    },
    forget: () => {
      setAsked(null)
      setProblem(null)
    },
  }
}
