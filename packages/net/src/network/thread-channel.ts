import { BroadcastChannel } from 'node:worker_threads';

/** A channel between the threads of a process. */
export interface ThreadChannel<T> {
  /** Sends a message. Does nothing if the process has no watcher. */
  readonly send: (message: T) => void;
  /**
   * Calls `report` with each message, including messages that this thread sends. Returns a function that ends the
   * calls.
   */
  readonly watch: (report: (message: T) => void) => () => void;
}

/** Creates a channel. Call once per module, at the top level. The channel does not keep the process running. */
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
      // Adding a listener makes the channel keep the process running, so `unref` follows.
      channel.unref();
      return () => channel.close();
    },
  };
}
