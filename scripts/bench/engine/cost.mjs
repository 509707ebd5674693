// The cost of an engine operation: wall-clock time, and the CPU time of each of the three processes, which depends little on
// what else runs on the machine. Memory and the CPU time of the other processes are measured on Linux only.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const LOOK_MS = 50;
const isLinux = process.platform === "linux";
const TICKS = isLinux ? Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" })) : 100;

/** The role of a process in an operation, by its command line. */
function roleOf(command) {
  if (/cmd\/dynamic-provider|pulumi-resource-rulesets/.test(command)) return "provider";
  return /(^|\/)pulumi\0(preview|up|refresh|destroy)\0/.test(command) ? "engine" : undefined;
}

/** CPU seconds, and peak memory in megabytes, of every process seen. */
class Watch {
  seen = new Map();
  others = new Set(isLinux ? readdirSync("/proc") : []);
  timer = isLinux ? setInterval(() => this.look(), LOOK_MS) : undefined;

  /** `mark` is in the environment of the processes to measure: other processes on the machine may run engines too. */
  constructor(mark) {
    this.mark = mark;
  }

  look() {
    for (const pid of readdirSync("/proc")) if (/^\d+$/.test(pid) && !this.others.has(pid)) this.lookAt(pid);
  }

  lookAt(pid) {
    try {
      // Asked again at each look: a process that the engine starts has the engine's command line at first.
      const role = this.roleOf(pid);
      if (role === undefined) return;
      const [, , user, system] = /\) (?:\S+ ){11}((\d+) (\d+))/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      const seconds = (Number(user) + Number(system)) / TICKS;
      // A process that has just ended reports no memory.
      const megabytes = Math.max(this.seen.get(pid)?.megabytes ?? 0, Number(kilobytes ?? 0) / 1024);
      this.seen.set(pid, { role, seconds, megabytes });
    } catch {
      // The process has ended.
    }
  }

  roleOf(pid) {
    const role = roleOf(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    return role !== undefined && readFileSync(`/proc/${pid}/environ`, "utf8").includes(this.mark) ? role : undefined;
  }

  end() {
    clearInterval(this.timer);
    const of = (role) => [...this.seen.values()].filter((one) => one.role === role);
    const secondsOf = (role) => of(role).reduce((sum, { seconds }) => sum + seconds, 0);
    return {
      engine: secondsOf("engine"),
      provider: secondsOf("provider"),
      megabytes: Math.max(0, ...of("provider").map(({ megabytes }) => megabytes)),
    };
  }
}

/** Measures an operation whose program runs in this process. The engine and the provider have `mark` in their environment. */
export async function costOf(mark, operate) {
  const watch = new Watch(mark);
  const before = process.cpuUsage();
  const start = performance.now();
  await operate();
  const wall = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  const { megabytes, ...others } = watch.end();
  const processors = { program: (user + system) / 1e6, ...others };
  const whole = Object.values(processors).reduce((sum, seconds) => sum + seconds, 0);
  return { wall, processors, whole, megabytes };
}
