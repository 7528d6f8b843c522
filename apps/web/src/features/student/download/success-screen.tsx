import { Button } from '@blueprintjs/core'
import { TickCircle } from '@blueprintjs/icons'
import { useEffect, useRef } from 'react'
import { useText } from '../../../app/text-context.ts'

/**
 * Step 3 (docs/spec/2-student-service-and-designer.md §2): done; returns to the list after a
 * countdown.
 */
export function SuccessScreen({
  name,
  secondsLeft,
  onAgain,
  onHome,
}: {
  readonly name: string
  readonly secondsLeft: number
  readonly onAgain: () => void
  readonly onHome: () => void
}) {
  const { t } = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
  }, [])
  return (
    <section className="jw-sheet jw-done" aria-labelledby="done-title">
      <TickCircle size={64} className="jw-done__mark" />
      <h2 id="done-title" ref={heading} tabIndex={-1}>
        {t('studentPage.done')}
      </h2>
      <p className="jw-muted">{name}</p>
      <div className="jw-done__next">
        <Button size="large" text={t('studentPage.again')} onClick={onAgain} />
        <Button
          size="large"
          intent="primary"
          text={t('studentPage.homeIn', { n: secondsLeft })}
          onClick={onHome}
        />
      </div>
    </section>
  )
}
