import { Checkbox } from '@blueprintjs/core'
import { chosenKinds, noticeChannels, type NoticeChannel } from '@jiaowu/api/contract/message'
import { problemText } from '@jiaowu/api/problem'
import { useApi } from '../app/api-context.ts'
import { useText } from '../app/text-context.ts'
import { ResourceBody } from '../ui/resource/resource-body.tsx'
import { useResource } from '../ui/resource/use-resource.ts'

type Kind = (typeof chosenKinds)[number]
interface Choice {
  readonly kind: Kind
  readonly channel: NoticeChannel
  readonly isOn: boolean
}

/** The ways in which notices of each kind reach the user (docs/rules/contract.md#notices). */
export function NoticeChoices({ kinds = chosenKinds }: { readonly kinds?: readonly Kind[] }) {
  const { t, locale } = useText()
  const { api } = useApi()
  const page = useResource({
    query: 'own',
    load: (_query, signal) => api.messages.choices({ signal }),
    actions: { choose: (choice: Choice) => api.messages.choose({ body: { choices: [choice] } }) },
    onDone: { choose: () => page.reload() },
  })
  const failure = page.failureOf('choose')
  return (
    <section aria-label={t('notices.title')}>
      <h5>{t('notices.title')}</h5>
      {failure === null ? null : (
        <p className="jw-fault" role="alert">
          {problemText(locale, failure)}
        </p>
      )}
      <ResourceBody of={page}>
        {({ choices, open }) =>
          kinds.map((kind) => (
            <fieldset key={kind} className="jw-notices">
              <legend>{t(`notices.kind.${kind}`)}</legend>
              {noticeChannels.map((channel) => (
                <Checkbox
                  key={channel}
                  inline
                  checked={choices.some(
                    (each) => each.kind === kind && each.channel === channel && each.isOn,
                  )}
                  disabled={!open.includes(channel) || page.acting !== null}
                  label={t(`notices.channel.${channel}`)}
                  title={open.includes(channel) ? undefined : t('notices.closed')}
                  onChange={({ currentTarget: { checked } }) =>
                    page.start('choose', { kind, channel, isOn: checked })
                  }
                />
              ))}
            </fieldset>
          ))
        }
      </ResourceBody>
    </section>
  )
}
