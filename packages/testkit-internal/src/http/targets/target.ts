export { HOST_TEXT, type HostOptions, type HttpTarget, type Mount, type RunningHost } from '@headwater/testkit/http';
