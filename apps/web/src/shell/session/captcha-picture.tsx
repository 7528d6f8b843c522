import { Button } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { t, type TextKey } from '@jiaowu/api/texts/index'
import { useState } from 'react'
import { useSettings } from '../../app/settings.ts'

interface Props {
  readonly captchaKey: string
  /** Another picture has another answer. */
  readonly onRenew: () => void
}

/** The picture of a captcha for staff, with a button for another one of the same key. */
export function CaptchaPicture({ captchaKey, onRenew }: Props) {
  const { locale } = useSettings()
  const text = (key: TextKey) => t(locale, key as 'common.ok')
  const [renewed, setRenewed] = useState<{ readonly key: string; readonly at: number } | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  // The time keeps the browser from showing the picture that it has.
  const again = renewed?.key === captchaKey ? `&ts=${renewed.at}` : ''
  const source = `/api/captcha?key=${captchaKey}${again}`
  return (
    <span className="jw-captcha-picture">
      {failed === source ? (
        <span className="jw-captcha-picture__failed" role="alert">
          {text('problem.captchaFailed')}
        </span>
      ) : (
        <img
          src={source}
          width={150}
          height={52}
          alt={text('signIn.captcha')}
          onError={() => setFailed(source)}
        />
      )}
      <Button
        variant="minimal"
        icon={<Refresh />}
        aria-label={text('signIn.newPicture')}
        title={text('signIn.newPicture')}
        onClick={() => {
          setRenewed({ key: captchaKey, at: Date.now() })
          onRenew()
        }}
      />
    </span>
  )
}
