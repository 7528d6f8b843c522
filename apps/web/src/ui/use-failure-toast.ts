import { type Problem, problemText } from '@jiaowu/api/problem'
import { useNotice } from '../app/notice-context.ts'
import { useText } from '../app/text-context.ts'

/** Shows the server's words for a failed action in a lasting toast. */
export function useFailureToast(): (problem: Problem) => void {
  const { locale } = useText()
  const { toast } = useNotice()
  return (problem) => toast('danger', problemText(locale, problem), { lasting: true })
}
