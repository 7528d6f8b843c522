import { Button } from '@blueprintjs/core'
import { problemText } from '@jiaowu/api/problem'
import type { Row } from '@jiaowu/api/entity/values'
import { useParams } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { ResourceBody } from '../../ui/resource/resource-body.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'

const tag = 'RPT_REGISTRATION'

/** Approves or refuses a request to register, as it is when the page opens. */
export function RegistrationPage({ onClose }: { readonly onClose: () => void }) {
  const { locale, t } = useText()
  const { id = '' } = useParams()
  const request = useRequest(id, onClose)
  const problem = request.failureOf('decide')
  return (
    <div className="jw-reset">
      {problem === null ? null : (
        <p className="jw-fault" role="alert">
          {problemText(locale, problem)}
        </p>
      )}
      <ResourceBody of={request}>
        {(row) => {
          const isWaiting = readChoicePart(row, 'state', 'id') === 'PENDING'
          const decide = (agree: boolean) =>
            request.start('decide', { version: Number(row.version), agree })
          return (
            <>
              <p>
                {isWaiting
                  ? t('registration.about', {
                      student: readChoicePart(row, 'student'),
                      studentNo: readChoicePart(row, 'studentNo'),
                      mobile: String(row['mobile'] ?? ''),
                    })
                  : t('registration.notWaiting')}
              </p>
              <div className="jw-reset__foot">
                <Button text={t(isWaiting ? 'common.cancel' : 'common.close')} onClick={onClose} />
                {isWaiting ? (
                  <>
                    <Button
                      intent="danger"
                      disabled={request.acting !== null}
                      text={t('registration.refuse')}
                      onClick={() => decide(false)}
                    />
                    <Button
                      intent="primary"
                      loading={request.acting !== null}
                      text={t('registration.approve')}
                      onClick={() => decide(true)}
                    />
                  </>
                ) : null}
              </div>
            </>
          )
        }}
      </ResourceBody>
    </div>
  )
}

function useRequest(id: string, onClose: () => void) {
  const { t } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const request = useResource({
    query: id,
    load: (query, signal) => api.entityData.get({ params: { tag, id: query }, signal }),
    actions: {
      decide: (body: { readonly version: number; readonly agree: boolean }) =>
        api.registration.decide({ params: { id }, body }),
    },
    onDone: {
      decide: ({ state }) => {
        toast('success', t(state === 'APPROVED' ? 'registration.approved' : 'registration.refused'))
        onClose()
      },
    },
    // Another clerk was quicker: what is shown is the state that this one decided about.
    onFailed: { decide: () => request.reload() },
  })
  return request
}

/** The name, or the id, of a choice. */
function readChoicePart(row: Row, attrName: string, part: 'name' | 'id' = 'name'): string {
  const value = row[attrName]
  const [first] = Array.isArray(value) ? (value as readonly Record<string, unknown>[]) : []
  return String(first?.[part] ?? '')
}
