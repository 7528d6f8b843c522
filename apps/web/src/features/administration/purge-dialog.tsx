import { Button, Dialog, DialogBody, DialogFooter, InputGroup } from '@blueprintjs/core'
import { problemOf, problemText } from '@jiaowu/api'
import { type SubmitEvent, useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'

interface Props {
  readonly tag: string
  readonly ids: readonly string[]
  readonly onDone: () => void
  readonly onClose: () => void
}

/** What cannot be undone is typed: the number of records that go. */
export function PurgeDialog({ tag, ids, onDone, onClose }: Props) {
  const { api, t, toast, locale } = useApp()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const n = ids.length
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (typed.trim() !== String(n)) return
    setBusy(true)
    try {
      const { purged } = await api.history.purge({
        params: { tag, ids: ids.join(',') },
        body: { count: Number(typed) },
      })
      toast('success', t('recycle.purged', { n: purged }))
      onDone()
    } catch (error) {
      setFault(problemText(locale, problemOf(error)))
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      title={t('recycle.purge')}
      onClose={onClose}
      className="jw-calm jw-purge jw-dialog--narrow"
      canOutsideClickClose={false}
    >
      <form
        onSubmit={(event) => {
          void submit(event)
        }}
        noValidate
      >
        <DialogBody>
          {fault === null ? null : (
            <p className="jw-fault" role="alert">
              {fault}
            </p>
          )}
          <p>{t('recycle.purgeText', { n })}</p>
          <InputGroup
            autoFocus
            autoComplete="off"
            inputMode="numeric"
            aria-label={t('recycle.purgeTyped', { n })}
            placeholder={t('recycle.purgeTyped', { n })}
            value={typed}
            onValueChange={setTyped}
          />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('common.cancel')} onClick={onClose} />
              <Button
                type="submit"
                intent="danger"
                disabled={typed.trim() !== String(n)}
                loading={busy}
                text={t('recycle.purge')}
              />
            </>
          }
        />
      </form>
    </Dialog>
  )
}
