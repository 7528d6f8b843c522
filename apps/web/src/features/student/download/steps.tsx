import { Tick } from '@blueprintjs/icons'
import { useText } from '../../../app/text-context.ts'

const names = [
  'studentPage.step.list',
  'studentPage.step.preview',
  'studentPage.step.done',
] as const

/**
 * The three-step indicator (docs/spec/2-student-service-and-designer.md §2); `at` counts from 1.
 */
export function Steps({ at }: { readonly at: 1 | 2 | 3 }) {
  const { t } = useText()
  return (
    <ol className="jw-steps" aria-label={t('studentPage.steps')}>
      {names.map((name, i) => (
        <li
          key={name}
          className={i + 1 < at ? 'is-past' : i + 1 === at ? 'is-now' : ''}
          aria-current={i + 1 === at ? 'step' : undefined}
        >
          <span className="jw-steps__mark">{i + 1 < at ? <Tick size={14} /> : i + 1}</span>
          <span className="jw-steps__name">{t(name)}</span>
        </li>
      ))}
    </ol>
  )
}
