import { describeHost, fetchTarget } from '@headwater/testkit/http';

describeHost(fetchTarget);
