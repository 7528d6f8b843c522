import { Button, DialogFooter } from '@blueprintjs/core'
import type { DesignerEvent } from '@jiaowu/machines/designer/types'
import type { DesignerView } from '@jiaowu/machines/designer/view'
import { Suspense, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { Unsaved } from '../../../app/unsaved.ts'
import { Loading } from '../../../ui/resource/page-state.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { CancelButton } from '../../../ui/overlays/cancel-button.tsx'

const JsonEditor = lazyPart(() => import('./json-editor.tsx').then((module) => module.JsonEditor))

/**
 * Editor of the whole definition as JSON: 900 px wide (docs/spec/2-student-service-and-designer.md §9), or the whole
 * screen (§2 there).
 */
export function JsonDialog({
  json,
  send,
}: {
  readonly json: NonNullable<DesignerView['json']>
  readonly send: (event: DesignerEvent) => void
}) {
  const { t, messageText } = useText()
  const [first] = useState(json.text)
  const [isWhole, setIsWhole] = useState(false)
  const cancel = () => send({ type: 'json.cancel' })
  return (
    // Escape belongs to the editor: it closes a search, or lets the next Tab leave the editor.
    <Dialog
      isOpen
      title={t('designer.json.title')}
      onClose={cancel}
      canEscapeKeyClose={false}
      canOutsideClickClose={false}
      className={isWhole ? 'jw-json is-whole' : 'jw-json'}
    >
      <Unsaved when={json.text !== first} />
      <Suspense fallback={<Loading />}>
        <JsonEditor
          text={json.text}
          label={t('designer.json.title')}
          onChange={(text) => send({ type: 'json.change', text })}
        />
      </Suspense>
      <DialogFooter
        actions={
          <>
            <Button
              className="jw-json__size"
              text={t(isWhole ? 'designer.json.narrow' : 'designer.json.whole')}
              onClick={() => setIsWhole(!isWhole)}
            />
            <Button
              text={t('designer.json.format')}
              onClick={() => send({ type: 'json.format' })}
            />
            <CancelButton onClick={cancel} />
            <Button
              intent="primary"
              text={t('common.ok')}
              onClick={() => send({ type: 'json.apply' })}
            />
          </>
        }
      >
        {json.fault === null ? (
          <small className="jw-muted">{t('designer.json.keys')}</small>
        ) : (
          <span className="jw-json__fault" role="alert">
            {json.fault.key === 'design.checkFormat'
              ? t('design.checkFormat')
              : `${t('design.checkFormat')}: ${messageText(json.fault)}`}
          </span>
        )}
      </DialogFooter>
    </Dialog>
  )
}
