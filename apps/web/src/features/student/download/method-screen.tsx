import { Button, Spinner } from '@blueprintjs/core'
import { ArrowLeft, ChevronRight } from '@blueprintjs/icons'
import type { DownloadView } from '@jiaowu/machines/download/view'
import type { PayMethod } from '@jiaowu/machines/download/context'
import { useEffect, useRef, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { CoinMark, ScanMark } from './pay-marks.tsx'

interface Props {
  readonly name: string
  readonly price: number
  readonly ordering: boolean
  readonly can: Pick<DownloadView['can'], 'choose' | 'back'>
  readonly fault: string | null
  readonly onChoose: (method: PayMethod) => void
  readonly onBack: () => void
}

/**
 * Choice of the payment method; only WeChat is enabled
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function MethodScreen({ name, price, ordering, can, fault, onChoose, onBack }: Props) {
  const { t } = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  /** Alipay was pressed. */
  const [isTold, setTold] = useState(false)
  useEffect(() => {
    heading.current?.focus()
  }, [])
  const cost = t('studentPage.yuan', { price: price.toFixed(2) })
  return (
    <section className="jw-sheet jw-method" aria-labelledby="method-title" aria-busy={ordering}>
      <h2 id="method-title" ref={heading} tabIndex={-1}>
        {t('studentPage.method')}
      </h2>
      <p className="jw-muted">{name}</p>
      {fault === null ? null : (
        <p className="jw-fault" role="alert">
          {fault}
        </p>
      )}
      <div className="jw-method__ways">
        <button
          type="button"
          className="jw-way is-wechat"
          disabled={!can.choose}
          onClick={() => onChoose('wechat')}
        >
          <ScanMark />
          <span>{t('studentPage.wechat')}</span>
          <b>{cost}</b>
          {ordering ? <Spinner size={18} /> : <ChevronRight />}
        </button>
        <button
          type="button"
          className="jw-way is-alipay"
          aria-disabled
          aria-describedby="alipay-note"
          onClick={() => setTold(true)}
        >
          <CoinMark />
          <span>
            {t('studentPage.alipay')}
            <small id="alipay-note">{t('studentPage.notYet')}</small>
          </span>
          <b>{cost}</b>
          <ChevronRight />
        </button>
      </div>
      <p className="jw-method__state" role="status">
        {ordering ? t('studentPage.ordering') : isTold ? t('studentPage.notOffered') : ''}
      </p>
      <Button
        variant="minimal"
        icon={<ArrowLeft />}
        text={t('studentPage.previous')}
        disabled={!can.back}
        onClick={onBack}
      />
    </section>
  )
}
