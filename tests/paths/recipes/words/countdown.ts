import type { MachineWords } from './machine-words.ts'

export const countdown = {
  name: ['倒计时', 'A countdown'],
  place: [
    '付款、下载完成或查看证件号时页面上的秒数',
    'The seconds on the page while paying, after a download, or while a value is shown',
  ],
  starts: {
    over: ['时间已过', 'The time is over already'],
    short: ['还剩 1 秒', 'One second is left'],
    long: ['还剩几秒', 'Some seconds are left'],
  },
  states: { running: ['正在倒数', 'counting down'], done: ['时间到', 'the time is over'] },
  events: { 'countdown.look': ['切到别的标签页，再切回来', 'Go to another tab and come back'] },
  calls: {},
  times: { TICK: ['等 1 秒', 'Wait one second'] },
} as const satisfies MachineWords
