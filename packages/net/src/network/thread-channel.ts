import { BroadcastChannel } from 'node:worker_threads';

/** Messages of one kind. Threads of a process send them to all watchers in the process. */
export interface ThreadChannel<T> {
  /** Sends a message. It does nothing if the process has no watcher. */
  readonly send: (message: T) => void;
  /** Reports the messages of other threads. Returns a function that ends the reports. */
  readonly watch: (report: (message: T) => void) => () => void;
}

/** Creates a channel between the threads of a process. Call it once per module, at the top level. It does not keep the process alive. */
export function threadChannel<T>(name: string): ThreadChannel<T> {
  let port: BroadcastChannel | undefined;
  return {
    send(message) {
      port ??= new BroadcastChannel(name);
      port.unref();
      port.postMessage(message);
    },
    watch(report) {
      const channel = new BroadcastChannel(name);
      // All messages come from threads of this process, so they are not checked.
      channel.addEventListener('message', (event) => {
        if ('data' in event) report(event.data as T);
      });
      // `unref` is called after the listener was added, because adding a listener refs the channel.
      channel.unref();
      return () => channel.close();
    },
  };
}
