import { type Problem, problemText } from '@jiaowu/api/problem'
import { useApp } from '../app/app-context.tsx'

/** Shows the server's words for a failed action in a lasting toast. */
export function useFailureToast(): (problem: Problem) => void {
  const { toast, locale } = useApp()
  return (problem) => toast('danger', problemText(locale, problem), { lasting: true })
}
