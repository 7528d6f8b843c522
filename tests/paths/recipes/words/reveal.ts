import { listSampleSentences } from '../../../machines/sample-file.ts'
import samples from '../../../machines/reveal/samples.json' with { type: 'json' }
import type { MachineWords } from './machine-words.ts'

export const reveal = {
  name: ['查看被遮盖的值', 'Showing a masked value'],
  place: [
    '登录后从左侧菜单打开“学生”，按一行的“查看”；“身份证号”只显示首尾',
    'Sign in, open the students from the menu, press “View” in a row; the ID number shows only its ends',
  ],
  states: {
    hidden: ['值被遮盖', 'the value is masked'],
    asking: ['正在填写原因', 'the reason is asked for'],
    loading: ['正在取值', 'the value is fetched'],
    limited: ['次数已用完', 'the limit is reached'],
    showing: ['值显示中', 'the value is shown'],
  },
  events: {
    ...listSampleSentences(samples),
    'reveal.ask': ['按被遮盖的值旁边的“{pii.show}”', 'Press “{pii.show}” beside the masked value'],
    'reason.change': ['填写“{pii.reason}”', 'Fill in “{pii.reason}”'],
    'reveal.confirm': ['在对话框中按“{pii.show}”', 'Press “{pii.show}” in the dialog'],
    'reveal.close': [
      '按“{common.cancel}”；值已显示时按“{pii.hide}”',
      'Press “{common.cancel}”, or “{pii.hide}” while the value is shown',
    ],
  },
  calls: { reveal: ['取出完整的值', 'fetching the full value'] },
  endings: {
    'reveal.value': [
      '成功，显示 {value}，{seconds} 秒后自动遮盖',
      'it succeeds: {value} is shown for {seconds} seconds',
    ],
    'reveal.limit': [
      '被拒绝，本小时的次数已用完',
      'it is refused: the limit of this hour is reached',
    ],
  },
  times: {
    revealTime: ['等 60 秒，直到倒计时走完', 'Wait 60 seconds until the countdown has run out'],
  },
} as const satisfies MachineWords
